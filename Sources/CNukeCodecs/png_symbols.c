// Finds the runs and matches in filtered rows.
#include "png_symbols.h"

#include <string.h>

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

static inline uint64_t eight(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

// Returns the number of equal bytes at two positions, at most `most`.
static inline size_t equal_bytes(const uint8_t *bytes, size_t one, size_t other, size_t most) {
  size_t count = 0;
  for (; count + 8 <= most; count += 8) {
    const uint64_t difference = eight(bytes + one + count) ^ eight(bytes + other + count);
    if (difference == 0) continue;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return count + (size_t)(__builtin_ctzll(difference) >> 3);
#else
    return count + (size_t)(__builtin_clzll(difference) >> 3);
#endif
  }
  while (count < most && bytes[one + count] == bytes[other + count]) count++;
  return count;
}

// Returns the hash of a pixel; of several if they are shorter than a match.
static inline uint32_t hash(const uint8_t *bytes, size_t step) {
  const size_t hashed = step == 1 ? 3 : step == 2 ? 4 : step;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const uint64_t value = eight(bytes) << (64 - 8 * hashed);
#else
  const uint64_t value = eight(bytes) >> (64 - 8 * hashed);
#endif
  // The golden ratio, as a fraction of 2^64 (Knuth, The Art of Computer Programming, volume 3, 6.4).
  return (uint32_t)(value * UINT64_C(0x9E3779B97F4A7C15) >> (64 - hash_bits));
}

// Compares the pixel at `i` with earlier ones that have the same hash, and stores its position. Returns the length of
// the longest match if it is longer than `length` by two bytes or more, otherwise `length`.
static inline size_t find_earlier(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, size_t step, const uint8_t *bytes, size_t i, size_t most,
  size_t length, size_t *distance) {
  uint32_t *positions = symbols->positions[hash(bytes + i, step)];
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
  // Positions of another piece are far away from all of this one.
  if (start == 0) memset(symbols->positions, 0xFF, sizeof symbols->positions);
  switch (search->step) {
    case 1: return find_by_step(symbols, search, 1, bytes, start, count);
    case 2: return find_by_step(symbols, search, 2, bytes, start, count);
    case 3: return find_by_step(symbols, search, 3, bytes, start, count);
    case 4: return find_by_step(symbols, search, 4, bytes, start, count);
    default: return find_by_step(symbols, search, search->step, bytes, start, count);
  }
}
