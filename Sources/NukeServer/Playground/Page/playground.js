import {
  defaults, escaped, formatOf, grammar, pathOf, imageName, saysTheSame, unsignedPath, valuesOf, withFormat,
} from './paths.js';
import { bytes, cacheState, stages, time, told, totalTime } from './words.js';

const form = document.getElementById('form');
const byId = (id) => document.getElementById(id);
const addressHint = byId('address-hint').textContent;
let server = { sources: [], formats: [], presets: [], hasWatermark: false, pathPrefix: '', isSigned: false };
// A typed path that the options cannot represent; empty if they can.
let typedPath = '';
let running = null;
let shown = null;

// The form

function state() {
  const values = {};
  for (const name of Object.keys(defaults)) {
    const field = form.elements[name];
    values[name] = field.type === 'checkbox' ? (field.checked ? '1' : '') : field.value.trim();
  }
  return values;
}

function setState(values) {
  for (const name of Object.keys(defaults)) {
    const field = form.elements[name];
    const value = values[name] ?? defaults[name];
    if (field.type === 'checkbox') field.checked = value === '1';
    else field.value = value;
  }
  showOutputs();
  showChosenSource();
  // Open the sections that contain values other than the defaults.
  for (const part of form.querySelectorAll('details')) {
    const isSet = [...part.querySelectorAll('[name]')].some(({ name }) => state()[name] !== defaults[name]);
    part.open = part.open || isSet;
  }
}

function showOutputs() {
  for (const field of form.querySelectorAll('input[type=range]')) {
    const neutral = Number(field.dataset.zeroAt ?? 0);
    const isNeutral = Number(field.value) === neutral;
    field.closest('label').querySelector('b').textContent = isNeutral ? field.dataset.zero : field.value;
    if (isNeutral) field.setAttribute('aria-valuetext', field.dataset.zero);
    else field.removeAttribute('aria-valuetext');
  }
}

function showChosenSource() {
  for (const radio of document.querySelectorAll('#sources input')) {
    radio.checked = radio.value === form.elements.source.value;
  }
}

// The page's URL contains the values other than the defaults, so that it can be shared.
function stateInAddress(values) {
  const told = new URLSearchParams();
  if (typedPath) told.set('path', typedPath);
  for (const [name, value] of Object.entries(values)) if (value !== defaults[name]) told.set(name, value);
  return told.toString();
}

// URLs

// Sets the form to a path. If the form cannot represent the path, it is kept as typed.
function setPath(path) {
  const values = valuesOf(path);
  if (values) setState(values);
  typedPath = saysTheSame(pathOf(state()), path) ? '' : path;
}

async function signed(path, signal) {
  const response = await fetch(`/_playground/sign?path=${encodeURIComponent(path)}`, { signal });
  const answer = await response.json();
  if (!response.ok) throw new Refusal(response.status, answer.error);
  return answer.path;
}

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// An image

// Fetch sends another Accept field than image elements, and the server selects the format by it.
const accept = 'image/avif,image/webp,image/*,*/*;q=0.8';

async function load(unsigned, signal) {
  const path = await signed(unsigned, signal);
  const start = performance.now();
  const response = await fetch(path, { signal, cache: 'no-store', headers: { Accept: accept } });
  const blob = await response.blob();
  // The server's own time if it sends one, without the time of the network.
  const milliseconds = totalTime(response.headers.get('Server-Timing')) ?? performance.now() - start;
  if (!response.ok) {
    const text = await blob.text();
    throw Object.assign(new Refusal(response.status, text.trim().slice(0, 300)), { path });
  }
  return { path, response, blob, milliseconds };
}

async function update() {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  const values = state();
  const path = typedPath || pathOf(values);
  keepInHistory(`#${stateInAddress(values)}`);
  byId('address-hint').textContent = typedPath
    ? 'The options cannot represent this URL. Changing an option replaces the URL.' : addressHint;
  const card = byId('result');
  card.setAttribute('aria-busy', 'true');
  const slow = setTimeout(() => { byId('summary').textContent = 'Loading…'; }, 300);
  try {
    if (!typedPath && !values.source) throw new Refusal(0, 'Select an image, or enter its URL.');
    const loaded = await load(path, mine.signal);
    const image = await decoded(loaded);
    // A later request may have finished first.
    if (mine.signal.aborted) {
      if (image) URL.revokeObjectURL(image.src);
      return;
    }
    await show(loaded, image, path);
  } catch (error) {
    if (mine.signal.aborted) return;
    showFailure(error, path);
  } finally {
    clearTimeout(slow);
    if (running === mine) card.removeAttribute('aria-busy');
  }
  showWhatIsCompared();
  updateStatistics();
}

// Returns the decoded image of a response; null if the response is text.
async function decoded({ response, blob }) {
  if (!typeOf(response).startsWith('image/')) return null;
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  await image.decode().catch(() => {});
  // The width is 0 if the browser does not support the format.
  return image;
}

function typeOf(response) {
  return (response.headers.get('Content-Type') || '').split(';')[0];
}

async function show({ path, response, blob, milliseconds }, image, unsigned) {
  const type = typeOf(response);
  const resultImage = byId('result-image');
  const name = imageName(unsigned);
  const ending = type.split('/').pop().replace('jpeg', 'jpg').replace(/\W.*/, '').replace('plain', 'txt');
  let size = '';
  if (image) {
    if (shown) URL.revokeObjectURL(shown.url);
    resultImage.src = image.src;
    resultImage.alt = `${name} as it was made`;
    if (image.naturalWidth) size = `${image.naturalWidth}\u00a0×\u00a0${image.naturalHeight}`;
    byId('text').textContent = `This browser does not support ${type}. You can download the image.`;
    shown = { url: image.src, width: image.naturalWidth, height: image.naturalHeight, unsigned };
  } else {
    byId('text').textContent = await blob.text();
  }
  resultImage.hidden = !size;
  byId('text').hidden = Boolean(size);
  byId('failure').hidden = true;
  byId('failure-status').textContent = '';
  byId('failure-text').textContent = '';
  showAddress(path);
  const download = byId('download');
  download.hidden = !image;
  if (image) Object.assign(download, { href: image.src, download: `${name}.${ending}` });
  byId('markup').hidden = !image;
  const timing = response.headers.get('Server-Timing');
  const state = cacheState(timing);
  const facts = [
    ['Bytes', bytes(blob.size)], ['Pixels', size || '–'], ['Type', type], ['Time', time(milliseconds)],
    ['Cache', state || '–'],
  ];
  for (const field of ['ETag', 'Cache-Control', 'Vary']) {
    const value = response.headers.get(field);
    if (value) facts.push([field, value, true]);
  }
  showFacts(facts);
  showTimes(timing);
  byId('summary').textContent = [type.replace('image/', '').toUpperCase(), size, bytes(blob.size), told(state, milliseconds)]
    .filter(Boolean).join(' · ');
  showPreview(size ? image.src : '', byId('summary').textContent);
  if (byId('markup').open) showMarkup();
}

// Shows a small preview below the options on phones, where the image is outside of the screen.
function showPreview(url, text) {
  const preview = byId('preview');
  preview.hidden = !url;
  if (url) preview.src = url;
  byId('preview-text').textContent = text;
}

function showFailure(error, unsigned) {
  for (const id of ['result-image', 'text', 'download', 'markup']) byId(id).hidden = true;
  const status = error.status ? `Status ${error.status}` : error instanceof Refusal ? 'No image' : 'No response';
  byId('failure').hidden = false;
  byId('failure-status').textContent = status;
  byId('failure-text').textContent = error instanceof Refusal ? error.message : 'The server does not respond.';
  byId('summary').textContent = 'No image';
  // If the server rejected the path before signing it, the unsigned path is shown.
  showAddress(error.path || (unsigned ? `${server.pathPrefix}/unsafe${unsigned}` : ''), Boolean(error.path));
  showFacts([]);
  showTimes(null);
  showPreview('', `${status}: ${byId('failure-text').textContent}`);
}

function showAddress(path, canBeOpened = true) {
  const address = byId('address');
  address.value = path ? location.origin + path : '';
  address.dataset.shown = address.value;
  const open = byId('open');
  open.hidden = !path || !canBeOpened;
  if (path) open.href = path;
  byId('copy').disabled = !path;
  const signature = byId('signature');
  signature.hidden = !path;
  signature.textContent = server.isSigned ? 'signed' : 'unsigned';
  signature.title = server.isSigned ? 'The URL is signed by the server.' : 'The server accepts URLs without a signature.';
}

// Each completed change is an entry in the history. Moving a slider is one change.
let beginsStep = false;
function keepInHistory(hash) {
  const pushes = beginsStep;
  beginsStep = false;
  if (hash === (location.hash || '#')) return;
  if (pushes) history.pushState(null, '', hash);
  else history.replaceState(null, '', hash);
}

// HTML

// Shows the HTML of the image, for screens with one and two pixels per point, in the formats that browsers support.
async function showMarkup() {
  const wanted = shown;
  if (!wanted) return;
  const path = (format, ratio) => {
    const bare = wanted.unsigned.replace(/\/dpr:[0-9.]+/, '');
    return withFormat(ratio === 1 ? bare : `/dpr:${ratio}${bare}`, format);
  };
  const named = formatOf(wanted.unsigned);
  const sources = named ? [] : ['avif', 'webp'].filter((format) => server.formats.includes(format));
  const fallback = named || (sources.length > 0 ? 'jpeg' : '');
  const srcset = async (format) => {
    const paths = await Promise.all([1, 2].map((ratio) => signed(path(format, ratio))));
    return paths.map((text, place) => `${location.origin}${text} ${place + 1}x`);
  };
  try {
    const ratio = Number(/\/dpr:([0-9.]+)/.exec(wanted.unsigned)?.[1] || 1);
    const size = wanted.width ? ` width="${Math.round(wanted.width / ratio)}" height="${Math.round(wanted.height / ratio)}"` : '';
    const last = await srcset(fallback);
    const image = `<img src="${last[0].slice(0, -3)}"${size} alt="" srcset="\n  ${last.join(',\n  ')}">`;
    const lines = [];
    for (const format of sources) {
      lines.push(`  <source type="image/${format}" srcset="\n    ${(await srcset(format)).join(',\n    ')}">`);
    }
    if (wanted !== shown) return;
    byId('markup-text').textContent = sources.length > 0
      ? ['<picture>', ...lines, `  ${image.replace(/\n/g, '\n  ')}`, '</picture>'].join('\n') : image;
  } catch {
    byId('markup-text').textContent = 'The server does not respond.';
  }
}

async function copy(button, text, field) {
  const said = button.dataset.text ??= button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    byId('said').textContent = 'Copied.';
  } catch {
    // Without TLS, a page cannot write to the clipboard.
    if (field.select) field.select();
    else getSelection().selectAllChildren(field);
    button.textContent = 'Press Ctrl+C';
    byId('said').textContent = 'Selected. Press Control and C to copy.';
  }
  setTimeout(() => {
    button.textContent = said;
    byId('said').textContent = '';
  }, 2000);
}

function showFacts(facts) {
  byId('facts').replaceChildren(...facts.map(([name, value, isWide]) => {
    const group = element('div', isWide ? 'wide' : '');
    group.append(element('dt', '', name), element('dd', '', value));
    return group;
  }));
}

function showTimes(timing) {
  const parts = stages(timing);
  const whole = parts.reduce((sum, stage) => sum + stage.milliseconds, 0) || 1;
  byId('bar').replaceChildren(...parts.map((stage, place) => {
    const piece = element('i', `s${place % 6 + 1}`);
    piece.style.flexGrow = stage.milliseconds / whole;
    return piece;
  }));
  byId('times-text').replaceChildren(...parts.map((stage, place) => {
    const item = element('span');
    if (parts.length > 1) item.append(element('i', `s${place % 6 + 1}`));
    item.append(`${stage.name} `, element('b', '', time(stage.milliseconds)));
    return item;
  }));
  byId('bar').hidden = parts.length < 2;
  document.querySelector('.times').hidden = parts.length === 0;
}

// Formats

let compared = null;

async function compare() {
  const button = byId('compare');
  if (button.getAttribute('aria-disabled') === 'true') return;
  // The button is not disabled, because it would lose the keyboard focus.
  button.setAttribute('aria-disabled', 'true');
  const list = byId('formats');
  const status = byId('compare-status');
  compared = comparedPath();
  for (const image of list.querySelectorAll('img')) URL.revokeObjectURL(image.src);
  list.replaceChildren();
  const results = [];
  for (const format of server.formats) {
    status.textContent = `Loading ${format.toUpperCase()}…`;
    try {
      const loaded = await load(withFormat(compared, format));
      const image = await decoded(loaded);
      const state = cacheState(loaded.response.headers.get('Server-Timing'));
      results.push({ format, image, state, size: loaded.blob.size, milliseconds: loaded.milliseconds });
    } catch (error) {
      results.push({ format, error: error instanceof Refusal ? error.message : 'The server does not respond.' });
    }
  }
  const good = results.filter((result) => result.size);
  const largest = Math.max(...good.map((result) => result.size), 1);
  const best = good.reduce((least, result) => (!least || result.size < least.size ? result : least), null);
  list.replaceChildren(...results.map((result) => formatItem(result, largest, result === best)));
  const jpeg = good.find((result) => result.format === 'jpeg');
  const share = jpeg && best !== jpeg ? `, ${Math.round(100 * best.size / jpeg.size)} % of the JPEG` : '';
  status.textContent = best
    ? `${best.format.toUpperCase()} is the smallest: ${bytes(best.size)}${share}.` : 'The image could not be encoded in any format.';
  button.removeAttribute('aria-disabled');
  showWhatIsCompared();
  updateStatistics();
}

// Returns the path to compare, without a format.
function comparedPath() {
  return withFormat(typedPath || pathOf({ ...state(), placeholder: '' }), '');
}

function showWhatIsCompared() {
  const isStale = compared !== null && compared !== comparedPath();
  byId('formats').classList.toggle('stale', isStale);
  byId('compare-stale').hidden = !isStale;
}

function formatItem(result, largest, isBest) {
  const item = element('li', isBest ? 'best' : result.error ? 'bad' : '');
  const thumb = element('div', 'thumb');
  const body = element('div', 'body');
  const name = element('span', 'name', result.format);
  if (isBest) name.append(' ', element('span', 'tag', 'smallest'));
  body.append(name);
  if (result.error) {
    body.append(element('span', 'note', result.error));
  } else {
    const title = result.format.toUpperCase();
    if (result.image.naturalWidth) {
      result.image.alt = `The image as ${title}`;
      thumb.append(result.image);
    } else {
      thumb.append(element('p', 'note', `This browser does not support ${title}.`));
    }
    const weight = element('div', 'weight');
    const fill = element('i');
    fill.style.width = `${100 * result.size / largest}%`;
    weight.append(fill);
    body.append(element('span', 'bytes', bytes(result.size)), weight, element('span', 'note', told(result.state, result.milliseconds)));
  }
  item.append(thumb, body);
  return item;
}

// Statistics

let askedStatistics = 0;
let shownStatistics = 0;

async function updateStatistics() {
  if (document.hidden) return;
  askedStatistics += 1;
  const mine = askedStatistics;
  let figures = null;
  try {
    const response = await fetch('/_playground/stats');
    if (response.ok) figures = await response.json();
  } catch {
    // Reported below.
  }
  if (mine < shownStatistics) return;
  shownStatistics = mine;
  const status = figures ? '' : 'The statistics of the server are not available. The page tries again.';
  if (byId('stats-status').textContent !== status) byId('stats-status').textContent = status;
  document.querySelector('.stats').classList.toggle('stale', !figures);
  if (!figures) return;
  const { server: counts, residentBytes } = figures;
  const hits = counts.memoryHits + counts.storeHits + counts.joined;
  const answered = hits + counts.made;
  tell('requests', counts.requests.toLocaleString('en'));
  tell('hits', answered ? `${Math.round(100 * hits / answered)} %` : '–');
  tell('median', counts.medianMilliseconds == null ? '–' : time(counts.medianMilliseconds));
  tell('slow', counts.slowMilliseconds == null ? '–' : time(counts.slowMilliseconds));
  tell('memory', residentBytes ? bytes(residentBytes) : '–');
  tell('sent', bytes(counts.bytesSent));
}

function tell(name, text) {
  document.querySelector(`[data-stat=${name}]`).textContent = text;
}

// Words

function element(name, className = '', text = null) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  return node;
}

// The start

function addSources() {
  byId('sources').replaceChildren(...server.sources.map((source) => {
    const label = element('label');
    const radio = element('input');
    Object.assign(radio, { type: 'radio', name: 'picked', value: source.url });
    radio.setAttribute('aria-label', source.name);
    radio.addEventListener('change', (event) => {
      event.stopPropagation();
      form.elements.source.value = source.url;
      typedPath = '';
      beginsStep = true;
      updateNow();
    });
    const image = element('img');
    image.alt = '';
    label.title = source.name;
    signed(`/rs:fill:96:96/plain/${escaped(source.url)}@jpeg`).then((path) => { image.src = path; }, () => {});
    label.append(radio, image);
    return label;
  }));
}

function addChoices(name, values, text = (value) => value) {
  for (const value of values) {
    const option = element('option', '', text(value));
    option.value = value;
    form.elements[name].append(option);
  }
}

function restore() {
  const told = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  typedPath = '';
  setState({ ...defaults, ...told });
  if (told.path) setPath(told.path);
  return told;
}

async function start() {
  const answer = await fetch('/_playground/config');
  if (!answer.ok) throw new Refusal(answer.status, 'The features of the server cannot be loaded.');
  server = await answer.json();
  grammar.hasOnlyPresets = server.hasOnlyPresets;
  addSources();
  addChoices('format', server.formats, (format) => format.toUpperCase());
  addChoices('preset', server.presets);
  byId('preset-field').hidden = server.presets.length === 0;
  byId('watermark-field').hidden = !server.hasWatermark;
  defaults.source = (server.sources.find((source) => source.name.startsWith('lake')) || server.sources[0] || { url: '' }).url;
  if (restore().compare) compare();
  addEvents();
  setInterval(updateStatistics, 2000);
  update();
}

let pause = null;
// True while a control is being moved, until its change event.
let isStepping = false;

function updateNow() {
  clearTimeout(pause);
  pause = null;
  update();
}

function addEvents() {
  form.addEventListener('input', (event) => {
    if (event.target.name === 'picked') return;
    typedPath = '';
    showOutputs();
    if (event.target.name === 'source') showChosenSource();
    if (!isStepping) beginsStep = true;
    isStepping = true;
    clearTimeout(pause);
    pause = setTimeout(updateNow, 200);
  });
  form.addEventListener('change', () => {
    isStepping = false;
    if (pause !== null) updateNow();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    typedPath = '';
    setState(defaults);
    beginsStep = true;
    updateNow();
  });
  const address = byId('address');
  address.addEventListener('change', () => {
    if (!address.value.trim()) address.value = address.dataset.shown;
    if (address.value === address.dataset.shown) return;
    setPath(unsignedPath(address.value, server.pathPrefix));
    beginsStep = true;
    updateNow();
  });
  address.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') address.value = address.dataset.shown;
  });
  byId('copy').addEventListener('click', () => copy(byId('copy'), address.value, address));
  byId('markup-copy').addEventListener('click', () => {
    const text = byId('markup-text');
    copy(byId('markup-copy'), text.textContent, text);
  });
  byId('markup').addEventListener('toggle', () => { if (byId('markup').open) showMarkup(); });
  byId('compare').addEventListener('click', compare);
  // The fragment of the URL contains the state, so it cannot be used to jump to an element.
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    form.focus();
  });
  addEventListener('popstate', () => {
    restore();
    updateNow();
  });
}

start().catch((error) => showFailure(error, ''));
