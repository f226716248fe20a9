// Tables that are looked up by the next bits of a DEFLATE stream.
#pragma once
#include "CNukeInflate.h"
#include "kernels.h"

#include <string.h>

// An entry of a table, from the lowest bit on:
//
//   6   bits of its codes together, with the extra bits of the last
//   2   how many literals it gives: up to three
//   1   whether a length, or a distance, comes behind them
//   1   whether it is special, which is neither: a second table (1 bit), the end of the block (1 bit), or no code
//   6   bits of its codes before the extra ones (or those two bits)
//   16  the least length or distance; where the second table begins
//   32  the literals, the first lowest
enum {
  nuke_entry_one_literal = 1 << 6,
  nuke_entry_match = 1 << 8,
  nuke_entry_special = 1 << 9,
  nuke_entry_link = nuke_entry_special | 1 << 10,
  nuke_entry_end = nuke_entry_special | 1 << 11,
  nuke_entry_code_shift = 10,
  nuke_entry_value_shift = 16,
  nuke_entry_literal_shift = 32,
  nuke_length_code_bits = 7,
};

static inline uint32_t nuke_entry_bits(uint64_t entry) { return entry & 63; }
static inline uint32_t nuke_entry_literals(uint64_t entry) { return entry >> 6 & 3; }
static inline uint32_t nuke_entry_code_bits(uint64_t entry) { return entry >> nuke_entry_code_shift & 63; }
static inline uint32_t nuke_entry_value(uint64_t entry) { return entry >> nuke_entry_value_shift & 0xFFFF; }

static inline bool nuke_entry_is(uint64_t entry, uint32_t kind) { return (entry & kind) == kind; }

// Writes four bytes, of which as many count as the entry has literals.
static inline void nuke_store_literals(uint8_t *output, uint64_t entry) {
  uint32_t bytes = (uint32_t)(entry >> nuke_entry_literal_shift);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap32(bytes);
#endif
  memcpy(output, &bytes, 4);
}

// Each is false for lengths that are no code: too many codes, or too few, unless there is one of a single bit or, of
// distances, none at all.
NUKE_HIDDEN bool nuke_build_literals(uint64_t *table, const uint8_t *lengths, uint32_t count);
NUKE_HIDDEN bool nuke_build_distances(uint64_t *table, const uint8_t *lengths, uint32_t count);

// The code that code lengths are written in: each byte is a symbol, shifted by three, and the bits of its code.
NUKE_HIDDEN bool nuke_build_length_codes(uint8_t *table, const uint8_t *lengths);
