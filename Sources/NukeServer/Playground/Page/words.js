// What an answer's fields say, in words.

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

// Where an image was found and how long that took, or how long it took to make.
export function told(state, milliseconds) {
  if (state === 'made now') return `made in ${time(milliseconds)}`;
  return state ? `${state}, ${time(milliseconds)}` : time(milliseconds);
}

// What took how long of an answer, as a list without gaps; empty where the server does not tell.
export function stages(timing) {
  const times = new Map();
  for (const [, name, duration] of (timing || '').matchAll(/(\w+);dur=([0-9.]+)/g)) times.set(name, Number(duration));
  const names = {
    store: 'Stores', lease: 'Others', queued: 'Queue', load: 'Load', wait: 'Room', decode: 'Decode', process: 'Process',
    encode: 'Encode',
  };
  // These two hold the others.
  const parts = [...times].filter(([name]) => !['total', 'rendition'].includes(name))
    .map(([name, milliseconds]) => ({ name: names[name] || name, milliseconds }));
  const known = parts.reduce((sum, part) => sum + part.milliseconds, 0);
  const rest = (times.get('total') ?? 0) - known;
  if (rest > 0) parts.push({ name: parts.length > 0 ? 'Other' : 'Nothing had to be made:', milliseconds: rest });
  return parts;
}
