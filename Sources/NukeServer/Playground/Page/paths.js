// Converts between the path of an image URL and the values of the form.

export const defaults = {
  source: '', width: '640', height: '', resizing: 'fit', gravity: '', dpr: '', enlarge: '', format: '', placeholder: '',
  quality: '0', blur: '0', sharpen: '0', pixelate: '0', brightness: '0', contrast: '1', saturation: '1', watermark: '0',
  rotate: '', padding: '', fliph: '', flipv: '', filled: '', background: '#ffffff', preset: '',
};

// `hasOnlyPresets` is true if paths contain names of presets instead of options.
export const grammar = { hasOnlyPresets: false };

export function escaped(source) {
  return encodeURIComponent(source).replace(/%2F/g, '/').replace(/%3A/g, ':');
}

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function pathOf(values) {
  if (grammar.hasOnlyPresets) {
    const names = values.preset ? [values.preset] : [];
    return withFormat(`/${[...names, 'plain', escaped(values.source)].join('/')}`, values.format);
  }
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
  if (values.placeholder) options.push(`placeholder:${values.placeholder}`);
  return withFormat(`/${[...options, 'plain', escaped(values.source)].join('/')}`, values.format);
}

const plain = /^(.*?\/plain\/)([^@]*)(?:@(\w*))?$/;

// Returns the path with another format. If it is empty, the server chooses the format.
export function withFormat(path, format) {
  const parts = plain.exec(path);
  if (parts) return parts[1] + parts[2] + (format ? `@${format}` : '');
  return path.replace(/(\.\w*)?$/, format ? `.${format}` : '');
}

// Converts the arguments of each option that `pathOf` writes to values of the form.
const readers = {
  pr: ([preset]) => ({ preset }),
  rs: ([resizing, width, height, enlarge]) => ({ resizing, width: nonzero(width), height: nonzero(height), enlarge: enlarge || '' }),
  el: ([enlarge]) => ({ enlarge }),
  g: ([gravity]) => ({ gravity }),
  dpr: ([dpr]) => ({ dpr }),
  q: ([quality]) => ({ quality }),
  bl: ([blur]) => ({ blur }),
  sh: ([sharpen]) => ({ sharpen }),
  pix: ([pixelate]) => ({ pixelate }),
  br: ([brightness]) => ({ brightness }),
  co: ([contrast]) => ({ contrast }),
  sa: ([saturation]) => ({ saturation }),
  wm: ([watermark]) => ({ watermark }),
  rot: ([rotate]) => ({ rotate }),
  fl: ([across, down]) => ({ fliph: across === '1' ? '1' : '', flipv: down === '1' ? '1' : '' }),
  pd: ([padding]) => ({ padding }),
  bg: ([color]) => ({ filled: '1', background: `#${color}` }),
  placeholder: ([placeholder]) => ({ placeholder }),
};

function nonzero(text) {
  return text === '0' || text === undefined ? '' : text;
}

// Returns the values of the form for a path; null if the form cannot represent the path.
export function valuesOf(path) {
  const parts = plain.exec(path);
  if (!parts) return null;
  const values = { ...defaults, width: '', source: unescaped(parts[2]), format: parts[3] || '' };
  if (values.source === null) return null;
  const options = parts[1].split('/').slice(1, -2);
  if (grammar.hasOnlyPresets) {
    if (options.length > 1 || options.some((names) => names.includes(':'))) return null;
    return { ...values, preset: options[0] || '' };
  }
  for (const option of options) {
    const [name, ...rest] = option.split(':');
    if (!Object.hasOwn(readers, name)) return null;
    Object.assign(values, readers[name](rest));
  }
  return values;
}

// Returns the format in a path; empty if there is none.
export function formatOf(path) {
  return plain.exec(path)?.[3] || '';
}

// Returns the name of the image of a path, without its extension.
export function imageName(path) {
  const source = unescaped(plain.exec(path)?.[2] ?? '') ?? '';
  return source.split('/').pop().replace(/\.\w+$/, '') || 'image';
}

// Returns true if two paths are equivalent: the order of options and trailing zeros have no effect.
export function saysTheSame(path, other) {
  const options = (text) => text.split('/').map((option) => option.replace(/(:0)+$/, '')).sort().join('/');
  return options(path) === options(other);
}

// Returns the path after the signature. The text is a URL, or a path with or without a signature.
export function unsignedPath(text, prefix) {
  let path = text.trim();
  // The request is sent to this server, whatever host the URL has.
  path = path.replace(/^https?:\/\/[^/]*/, '');
  if (!path.startsWith('/')) path = `/${path}`;
  if (path.startsWith(`${prefix}/`)) path = path.slice(prefix.length);
  const [, first, ...rest] = path.split('/');
  const isOption = grammar.hasOnlyPresets ? rest[0] === 'plain' : first.includes(':');
  const isSignature = rest.length > 0 && !isOption && first !== 'plain';
  return isSignature ? `/${rest.join('/')}` : path;
}
