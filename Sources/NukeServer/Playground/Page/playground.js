'use strict';

const form = document.getElementById('form');
const byId = (id) => document.getElementById(id);
const defaults = {
  source: '', width: '640', height: '', resizing: 'fit', gravity: '', dpr: '', enlarge: '', format: '', placeholder: '',
  quality: '0', blur: '0', sharpen: '0', pixelate: '0', brightness: '0', contrast: '1', saturation: '1', watermark: '0',
  rotate: '', padding: '', fliph: '', flipv: '', filled: '', background: '#ffffff', preset: '',
};
let server = { sources: [], formats: [], presets: [], hasWatermark: false };
let running = null;
let shownURL = null;

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
  // What is set is to be seen.
  for (const part of form.querySelectorAll('details')) {
    const isSet = [...part.querySelectorAll('[name]')].some(({ name }) => state()[name] !== defaults[name]);
    part.open = part.open || isSet;
  }
}

function showOutputs() {
  for (const field of form.querySelectorAll('input[type=range]')) {
    const neutral = Number(field.dataset.zeroAt ?? 0);
    const isNeutral = Number(field.value) === neutral;
    field.closest('label').querySelector('output').textContent = isNeutral ? field.dataset.zero : field.value;
    if (isNeutral) field.setAttribute('aria-valuetext', field.dataset.zero);
    else field.removeAttribute('aria-valuetext');
  }
}

function showChosenSource() {
  for (const radio of document.querySelectorAll('#sources input')) {
    radio.checked = radio.value === form.elements.source.value;
  }
}

// What is not as it is by default stands in the page's address, so that it can be sent to others.
function stateInAddress(values) {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== defaults[name]) told.set(name, value);
  return told.toString();
}

// URLs

function escaped(source) {
  return encodeURIComponent(source).replace(/%2F/g, '/').replace(/%3A/g, ':');
}

function pathOf(values, format = values.format, extra = '') {
  const options = [];
  const number = (name) => Number(values[name] || 0);
  if (values.preset) options.push(`pr:${values.preset}`);
  if (number('width') || number('height') || values.resizing !== 'fit') {
    options.push(`rs:${values.resizing}:${number('width')}:${number('height')}${values.enlarge ? ':1' : ''}`);
  } else if (values.enlarge) {
    options.push('el:1');
  }
  if (values.gravity) options.push(`g:${values.gravity}`);
  if (values.dpr) options.push(`dpr:${values.dpr}`);
  if (number('quality')) options.push(`q:${values.quality}`);
  if (number('blur')) options.push(`bl:${values.blur}`);
  if (number('sharpen')) options.push(`sh:${values.sharpen}`);
  if (number('pixelate')) options.push(`pix:${values.pixelate}`);
  if (number('brightness')) options.push(`br:${values.brightness}`);
  if (number('contrast') !== 1) options.push(`co:${values.contrast}`);
  if (number('saturation') !== 1) options.push(`sa:${values.saturation}`);
  if (number('watermark')) options.push(`wm:${values.watermark}:soea:10:10`);
  if (values.rotate) options.push(`rot:${values.rotate}`);
  if (values.fliph || values.flipv) options.push(`fl:${values.fliph ? 1 : 0}:${values.flipv ? 1 : 0}`);
  if (number('padding')) options.push(`pd:${values.padding}`);
  if (values.filled) options.push(`bg:${values.background.slice(1)}`);
  if (values.placeholder) options.push(`ph:${values.placeholder}`);
  if (extra) options.push(extra);
  const ending = format ? `@${format}` : '';
  return `/${[...options, 'plain', escaped(values.source)].join('/')}${ending}`;
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

// A picture

async function load(values, format, extra, signal) {
  const path = await signed(pathOf(values, format, extra), signal);
  const start = performance.now();
  const response = await fetch(path, { signal, cache: 'no-store' });
  const blob = await response.blob();
  // The server's own time, where it tells: what is between it and here is not the point.
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
  history.replaceState(null, '', `#${stateInAddress(values)}`);
  const card = byId('result');
  card.setAttribute('aria-busy', 'true');
  try {
    if (!values.source) throw new Refusal(0, 'Pick a picture, or type the address of one.');
    const loaded = await load(values, values.format, '', mine.signal);
    await show(loaded, values);
  } catch (error) {
    if (error.name === 'AbortError') return;
    showFailure(error);
  } finally {
    if (running === mine) card.removeAttribute('aria-busy');
  }
  updateStatistics();
}

async function show({ path, response, blob, milliseconds }, values) {
  const type = (response.headers.get('Content-Type') || '').split(';')[0];
  const isPicture = type.startsWith('image/');
  const picture = byId('picture');
  const name = values.source.split('/').pop();
  let size = '';
  if (isPicture) {
    const url = URL.createObjectURL(blob);
    picture.src = url;
    picture.alt = `${name} as it was made`;
    await picture.decode().catch(() => {});
    if (shownURL) URL.revokeObjectURL(shownURL);
    shownURL = url;
    if (picture.naturalWidth) size = `${picture.naturalWidth} × ${picture.naturalHeight}`;
  } else {
    byId('text').textContent = await blob.text();
  }
  picture.hidden = !isPicture;
  byId('text').hidden = isPicture;
  byId('failure').hidden = true;
  showAddress(path);
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
  byId('summary').textContent = [type.replace('image/', '').toUpperCase(), size, bytes(blob.size), state, time(milliseconds)]
    .filter(Boolean).join(' · ');
}

function showFailure(error) {
  for (const id of ['picture', 'text']) byId(id).hidden = true;
  byId('failure').hidden = false;
  const status = error.status ? `Status ${error.status}` : error instanceof Refusal ? 'Nothing to show' : 'No answer';
  byId('failure-status').textContent = status;
  byId('failure-text').textContent = error instanceof Refusal ? error.message : 'The server does not answer.';
  byId('summary').textContent = `${status}: no picture`;
  showAddress(error.path || '');
  showFacts([]);
  showTimes(null);
}

function showAddress(path) {
  byId('address').value = path ? location.origin + path : '';
  const open = byId('open');
  if (path) open.href = path;
  else open.removeAttribute('href');
  byId('copy').disabled = !path;
}

function showFacts(facts) {
  byId('facts').replaceChildren(...facts.map(([name, value, isWide]) => {
    const group = element('div', isWide ? 'wide' : '');
    group.append(element('dt', '', name), element('dd', '', value));
    return group;
  }));
}

function showTimes(field) {
  const stages = (field || '').split(',').map((part) => {
    const [name, ...rest] = part.trim().split(';');
    const duration = rest.find((item) => item.trim().startsWith('dur='));
    return { name, milliseconds: duration ? Number(duration.trim().slice(4)) : NaN };
  }).filter((stage) => stage.name && !Number.isNaN(stage.milliseconds));
  // These hold others.
  const parts = stages.filter((stage) => !['total', 'rendition'].includes(stage.name));
  const total = stages.find((stage) => stage.name === 'total');
  const known = parts.reduce((sum, stage) => sum + stage.milliseconds, 0);
  if (total && total.milliseconds > known) parts.push({ name: 'other', milliseconds: total.milliseconds - known });
  const whole = parts.reduce((sum, stage) => sum + stage.milliseconds, 0) || 1;
  byId('bar').replaceChildren(...parts.map((stage, place) => {
    const piece = element('i', `s${place % 5 + 1}`);
    piece.style.flexGrow = stage.milliseconds / whole;
    return piece;
  }));
  const names = { load: 'Load', decode: 'Decode', process: 'Process', encode: 'Write', queued: 'Wait', other: 'Other' };
  byId('times-text').replaceChildren(...parts.map((stage, place) => {
    const item = element('span');
    item.append(element('i', `s${place % 5 + 1}`), `${names[stage.name] || stage.name} `, element('b', '', time(stage.milliseconds)));
    return item;
  }));
  document.querySelector('.times').hidden = parts.length === 0;
}

function totalTime(timing) {
  const found = /total;dur=([0-9.]+)/.exec(timing || '');
  return found ? Number(found[1]) : null;
}

// Where the server found the picture.
function cacheState(timing) {
  const found = /cache;desc=(\w+)/.exec(timing || '');
  const words = { memory: 'hit in memory', store: 'hit in a store', joined: 'shared', made: 'made now' };
  return found ? words[found[1]] || found[1] : '';
}

// Formats

async function compare() {
  const button = byId('compare');
  const list = byId('formats');
  const status = byId('compare-status');
  const values = { ...state(), placeholder: '' };
  button.disabled = true;
  for (const image of list.querySelectorAll('img')) URL.revokeObjectURL(image.src);
  list.replaceChildren();
  const results = [];
  // A value of its own keeps what is cached out of it.
  const extra = `cb:${Date.now()}`;
  for (const format of server.formats) {
    status.textContent = `Making ${format.toUpperCase()}…`;
    try {
      const loaded = await load(values, format, extra);
      results.push({ format, size: loaded.blob.size, milliseconds: loaded.milliseconds, url: URL.createObjectURL(loaded.blob) });
    } catch (error) {
      results.push({ format, error: error.message });
    }
  }
  const good = results.filter((result) => result.size);
  const largest = Math.max(...good.map((result) => result.size), 1);
  const best = good.reduce((least, result) => (!least || result.size < least.size ? result : least), null);
  list.replaceChildren(...results.map((result) => formatItem(result, largest, result === best)));
  const jpeg = good.find((result) => result.format === 'jpeg');
  const share = jpeg && best !== jpeg ? `, ${Math.round(100 * best.size / jpeg.size)} % of the JPEG` : '';
  status.textContent = best
    ? `${best.format.toUpperCase()} is the smallest: ${bytes(best.size)}${share}.` : 'No format could be made of this picture.';
  button.disabled = false;
  updateStatistics();
}

function formatItem(result, largest, isBest) {
  const item = element('li', isBest ? 'best' : result.error ? 'bad' : '');
  const thumb = element('div', 'thumb');
  const body = element('div', 'body');
  body.append(element('span', 'name', result.format));
  if (result.error) {
    body.append(element('span', 'note', result.error));
  } else {
    const image = element('img');
    image.src = result.url;
    image.alt = `The picture as ${result.format.toUpperCase()}`;
    thumb.append(image);
    const weight = element('div', 'weight');
    const fill = element('i');
    fill.style.width = `${100 * result.size / largest}%`;
    weight.append(fill);
    body.append(element('span', 'bytes', bytes(result.size)), weight, element('span', 'note', `made in ${time(result.milliseconds)}`));
  }
  item.append(thumb, body);
  return item;
}

// Statistics

async function updateStatistics() {
  if (document.hidden) return;
  try {
    const { server: counts, residentBytes } = await (await fetch('/_playground/stats')).json();
    const hits = counts.memoryHits + counts.storeHits + counts.joined;
    const answered = hits + counts.made;
    tell('requests', counts.requests.toLocaleString('en'));
    tell('hits', answered ? `${Math.round(100 * hits / answered)} %` : '–');
    tell('median', counts.medianMilliseconds == null ? '–' : time(counts.medianMilliseconds));
    tell('slow', counts.slowMilliseconds == null ? '–' : time(counts.slowMilliseconds));
    tell('memory', residentBytes ? bytes(residentBytes) : '–');
    tell('sent', bytes(counts.bytesSent));
  } catch {
    tell('requests', 'offline');
  }
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

function bytes(count) {
  if (count < 1000) return `${count} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = count / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

function time(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
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
      update();
    });
    const image = element('img');
    image.alt = '';
    image.title = source.name;
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

async function start() {
  server = await (await fetch('/_playground/config')).json();
  addSources();
  addChoices('format', server.formats, (format) => format.toUpperCase());
  addChoices('preset', server.presets);
  byId('preset-field').hidden = server.presets.length === 0;
  byId('watermark-field').hidden = !server.hasWatermark;
  defaults.source = (server.sources.find((source) => source.name.startsWith('lake')) || server.sources[0] || { url: '' }).url;
  const told = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  setState({ ...defaults, ...told });
  if (told.compare) compare();
  let pause = null;
  form.addEventListener('input', (event) => {
    if (event.target.name === 'picked') return;
    showOutputs();
    if (event.target.name === 'source') showChosenSource();
    clearTimeout(pause);
    pause = setTimeout(update, 200);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    setState(defaults);
    update();
  });
  byId('compare').addEventListener('click', compare);
  byId('copy').addEventListener('click', async () => {
    const button = byId('copy');
    try {
      await navigator.clipboard.writeText(byId('address').value);
      button.textContent = 'Copied';
    } catch {
      byId('address').select();
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  setInterval(updateStatistics, 2000);
  update();
}

start().catch(showFailure);
