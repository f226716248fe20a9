// The literals and matches of a DEFLATE block.
#pragma once
#include "png_deflate.h"
#include "png_huffman.h"

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
  // The positions of pixels by their hash, the latest first.
  hash_bits = 12,
  most_candidates = 8,
};

struct nuke_png_symbols {
  uint32_t symbols[block_symbols + last_symbols];
  size_t count;
  uint32_t literals[literal_count], distances[distance_count];
  uint32_t positions[1 << hash_bits][most_candidates];
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
