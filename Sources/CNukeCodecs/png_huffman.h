// The Huffman codes of a DEFLATE block (RFC 1951), and the writing of bits.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum {
  // The alphabets of RFC 1951, 3.2.5 to 3.2.7.
  end_of_block = 256,
  first_length = 257,
  literal_count = 286,
  distance_count = 30,
  length_count = 19,
  longest_code = 15,
};

// Bits in the order in which they are written, least significant first, and their number.
struct bits {
  uint32_t value;
  uint32_t count;
};

struct output {
  uint8_t *bytes;
  uint64_t bits;
  uint32_t count;
};

// At most 57 bits can wait for the next flush.
static inline void put(struct output *output, uint32_t value, uint32_t count) {
  output->bits |= (uint64_t)value << output->count;
  output->count += count;
}

// Writes complete bytes. Up to eight bytes are overwritten.
static inline void flush(struct output *output) {
  for (int i = 0; i < 8; i++) output->bytes[i] = (uint8_t)(output->bits >> 8 * i);
  output->bytes += output->count >> 3;
  output->bits >>= output->count & ~7u;
  output->count &= 7;
}

// The lengths of all codes, with runs of lengths as separate symbols (RFC 1951, 3.2.7).
struct nuke_png_code_lengths {
  uint8_t symbols[literal_count + distance_count], extra[literal_count + distance_count];
  int symbol_count, literals, distances;
  uint8_t lengths[length_count];
};

// The codes of a block.
struct nuke_png_codes {
  struct bits literals[literal_count], distances[distance_count];
  struct nuke_png_code_lengths lengths;
};

// Computes the codes from the number of times that each symbol occurs.
void nuke_png_make_codes(
  struct nuke_png_codes *codes, const uint32_t *literal_frequencies, const uint32_t *distance_frequencies);

// Writes the lengths of the codes if there is an output. Returns their number of bits, with the header of the block.
size_t nuke_png_write_code_lengths(const struct nuke_png_code_lengths *lengths, struct output *output);
