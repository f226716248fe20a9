// Describes the header fields of a response in words.

export function bytes(count) {
  if (count < 1000) return `${count}\u00a0B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = count / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}\u00a0${units[unit]}`;
}

export function time(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)}\u00a0s`;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)}\u00a0ms`;
}

export function totalTime(timing) {
  const found = /total;dur=([0-9.]+)/.exec(timing || '');
  return found ? Number(found[1]) : null;
}

// Where the server found the image.
export function cacheState(timing) {
  const found = /cache;desc=(\w+)/.exec(timing || '');
  const words = { memory: 'hit in memory', store: 'hit in a store', joined: 'shared', made: 'made now' };
  return found ? words[found[1]] || found[1] : '';
}

// Where an image was found, and the time to find or render it.
export function told(state, milliseconds) {
  if (state === 'made now') return `made in ${time(milliseconds)}`;
  return state ? `${state}, ${time(milliseconds)}` : time(milliseconds);
}

// Returns the duration of each stage of a response, without gaps; empty if the server sends none.
export function stages(timing) {
  const times = new Map();
  for (const [, name, duration] of (timing || '').matchAll(/(\w+);dur=([0-9.]+)/g)) times.set(name, Number(duration));
  const names = {
    store: 'Stores', lease: 'Lease', queued: 'Queue', load: 'Load', wait: 'Memory', decode: 'Decode', process: 'Process',
    encode: 'Encode',
  };
  // These two stages contain the others.
  const parts = [...times].filter(([name]) => !['total', 'rendition'].includes(name))
    .map(([name, milliseconds]) => ({ name: names[name] || name, milliseconds }));
  const known = parts.reduce((sum, part) => sum + part.milliseconds, 0);
  const rest = (times.get('total') ?? 0) - known;
  if (rest > 0) parts.push({ name: parts.length > 0 ? 'Other' : 'Total', milliseconds: rest });
  return parts;
}
