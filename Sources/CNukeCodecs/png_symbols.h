// The literals and matches of a DEFLATE block.
#pragma once
#include "png_deflate.h"
#include "png_huffman.h"

#include <string.h>

enum {
  // A block ends when it has at least this number of symbols. Each block has its own codes.
  block_symbols = 49152,
  // More symbols that a block can have: a filter number or the bytes of a pixel.
  last_symbols = 16,
  shortest_match = 3,
  longest_match = 258,
  // The greatest distance of a match.
  window = 32768,
  // Values up to 255 are literals. Higher ones are matches: their length and, above these bits, their distance.
  first_match = 256,
  distance_shift = 16,
  hash_bits = 12,
  most_candidates = 40,
  // The number of pixels and filter numbers among which matches are selected by their cost.
  most_units = 65536,
  most_matches = 8,
};

struct nuke_png_match {
  // 0 for a literal.
  uint16_t length;
  uint16_t distance;
};

// Pixels and filter numbers, and what represents them in the fewest bits.
struct nuke_png_units {
  // The position of each in the bytes.
  size_t positions[most_units + 1];
  // Matches in ascending order of their length, up to one of length 0.
  struct nuke_png_match matches[most_units][most_matches + 1];
  // The number of bits from a unit to the last one, and what the unit begins with.
  uint32_t bits[most_units + 1];
  struct nuke_png_match choices[most_units];
  // The next one to add to the symbols.
  size_t next, count;
  // The codes by which bits are counted: those of the previous units.
  struct nuke_png_codes codes;
  bool has_codes;
};

struct nuke_png_symbols {
  uint32_t symbols[block_symbols + last_symbols];
  size_t count;
  uint32_t literals[literal_count], distances[distance_count];
  // The positions of pixels by their hash, as many for each as there are candidates, the latest first.
  uint32_t positions[most_candidates << hash_bits];
  // Not touched unless matches are selected by their cost.
  struct nuke_png_units units;
};

// Returns the code for the length of a match, and its extra bits.
static inline int length_code(int length, uint32_t *extra, uint32_t *extra_count) {
  *extra = *extra_count = 0;
  if (length == longest_match) return 285;
  const int offset = length - shortest_match;
  if (offset < 8) return first_length + offset;
  const int exponent = 31 - __builtin_clz((unsigned)offset) - 2;
  *extra_count = (uint32_t)exponent;
  *extra = (uint32_t)offset & ((1u << exponent) - 1);
  return first_length + (exponent << 2) + (offset >> exponent);
}

// Returns the code for a distance, and its extra bits.
static inline int distance_code(uint32_t distance, uint32_t *extra, uint32_t *extra_count) {
  const uint32_t offset = distance - 1;
  *extra = *extra_count = 0;
  if (offset < 4) return (int)offset;
  const int exponent = 31 - __builtin_clz(offset) - 1;
  *extra_count = (uint32_t)exponent;
  *extra = offset & ((1u << exponent) - 1);
  return (exponent << 1) + (int)(offset >> exponent);
}

static inline void add_literal(struct nuke_png_symbols *symbols, uint8_t byte) {
  symbols->symbols[symbols->count++] = byte;
  symbols->literals[byte]++;
}

static inline void add_match(struct nuke_png_symbols *symbols, size_t length, size_t distance) {
  uint32_t extra, extra_count;
  symbols->symbols[symbols->count++] = (uint32_t)(first_match + length) | (uint32_t)distance << distance_shift;
  symbols->literals[length_code((int)length, &extra, &extra_count)]++;
  symbols->distances[distance_code((uint32_t)distance, &extra, &extra_count)]++;
}

// Adds symbols for the bytes from `start`, until the block is full or all `count` bytes are represented. Returns the
// number of bytes that are.
size_t nuke_png_find_runs(struct nuke_png_symbols *symbols, const uint8_t *bytes, size_t start, size_t count);
size_t nuke_png_find_pixels(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes, size_t start, size_t count);
size_t nuke_png_select_pixels(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes, size_t start, size_t count);

// MARK: - Comparing

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

// Returns the earlier positions of pixels with the same hash as the one at `bytes`.
static inline uint32_t *earlier(struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes) {
  return symbols->positions + (size_t)hash(bytes, search->step) * search->candidates;
}

// Forgets the positions of another piece.
static inline void forget(struct nuke_png_symbols *symbols, const nuke_png_search *search) {
  memset(symbols->positions, 0xFF, (sizeof *symbols->positions * search->candidates) << hash_bits);
}
