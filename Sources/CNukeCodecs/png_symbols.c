// Finds the runs and matches in filtered rows.
#include "png_symbols.h"

size_t nuke_png_find_runs(struct nuke_png_symbols *symbols, const uint8_t *bytes, size_t start, size_t count) {
  size_t i = start;
  while (i < count && symbols->count < block_symbols) {
    const uint8_t byte = bytes[i];
    size_t run = 0;
    if (i > 0 && byte == bytes[i - 1]) {
      const size_t most = count - i < longest_match ? count - i : longest_match;
      run = 1;
      while (run < most && bytes[i + run] == byte) run++;
    }
    if (run < shortest_match) {
      add_literal(symbols, byte);
      i++;
    } else {
      add_match(symbols, run, 1);
      i += run;
    }
  }
  return i;
}

// MARK: - Pixels

// Compares the pixel at `i` with earlier ones that have the same hash, and stores its position. Returns the length of
// the longest match if it is longer than `length` by two bytes or more, otherwise `length`.
static inline size_t find_earlier(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, size_t step, const uint8_t *bytes, size_t i, size_t most,
  size_t length, size_t *distance) {
  uint32_t *positions = symbols->positions + (size_t)hash(bytes + i, step) * search->candidates;
  uint32_t next = (uint32_t)i;
  for (uint32_t k = 0; k < search->candidates; k++) {
    const uint32_t position = positions[k];
    positions[k] = next;
    next = position;
    const uint32_t back = (uint32_t)i - position;
    // No position, or too far away, as are all that follow.
    if (back - 1 >= window || back > i) break;
    // Most others end before, and are rejected by one byte.
    if (length + 1 >= most || bytes[i - back + length + 1] != bytes[i + length + 1]) continue;
    const size_t equal = equal_bytes(bytes, i, i - back, most);
    if (equal <= length + 1) continue;
    length = equal;
    *distance = back;
  }
  return length;
}

static inline size_t find_by_step(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, size_t step, const uint8_t *bytes, size_t start,
  size_t count) {
  const size_t stride = search->stride;
  size_t i = start, row_end = 0;
  while (i < count && symbols->count < block_symbols) {
    if (i >= row_end) {
      // The filter number, or the rest of the pixel in which a match from an earlier row ended.
      const size_t column = i % stride, over = column == 0 ? 0 : (column - 1) % step;
      size_t rest = column == 0 ? 1 : over == 0 ? 0 : step - over;
      row_end = i - column + stride;
      for (; rest > 0 && i < count; rest--) add_literal(symbols, bytes[i++]);
      continue;
    }
    const size_t most = count - i < longest_match ? count - i : longest_match;
    size_t length = 0, distance = step;
    if (i >= step) length = equal_bytes(bytes, i, i - step, most);
    if (length < most && i >= stride && stride <= window) {
      const size_t above = equal_bytes(bytes, i, i - stride, most);
      if (above > length) {
        length = above;
        distance = stride;
      }
    }
    if (length < most && count - i >= 8) {
      length = find_earlier(symbols, search, step, bytes, i, most, length, &distance);
    }
    // The next match begins with a pixel, too.
    if (i + length < row_end) length -= length % step;
    if (length >= shortest_match) {
      add_match(symbols, length, distance);
      i += length;
    } else {
      const size_t end = i + step < row_end ? i + step : row_end;
      while (i < end) add_literal(symbols, bytes[i++]);
    }
  }
  return i;
}

size_t nuke_png_find_pixels(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes, size_t start, size_t count) {
  if (start == 0) forget(symbols, search);
  switch (search->step) {
    case 1: return find_by_step(symbols, search, 1, bytes, start, count);
    case 2: return find_by_step(symbols, search, 2, bytes, start, count);
    case 3: return find_by_step(symbols, search, 3, bytes, start, count);
    case 4: return find_by_step(symbols, search, 4, bytes, start, count);
    default: return find_by_step(symbols, search, search->step, bytes, start, count);
  }
}
