// Lookup tables for the Huffman codes of DEFLATE, indexed by the next bits of the stream.
#pragma once
#include "CNukeInflate.h"
#include "kernels.h"

#include <string.h>

// An entry of a table, from the lowest bit on:
//
//   6   total bits of its codes, including the extra bits of the last one
//   2   number of literals, up to three
//   1   1 if a length or distance follows the literals
//   1   1 if it is special: a link to a second-level table, the end of the block, or an invalid code
//   6   bits of its codes without the extra bits (if special: 1 bit for a link, 1 bit for the end of the block)
//   16  base value of the length or distance, or the start of the second-level table
//   32  the literals, the first one in the lowest byte
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

// Writes four bytes. Only as many are valid as the entry has literals.
static inline void nuke_store_literals(uint8_t *output, uint64_t entry) {
  uint32_t bytes = (uint32_t)(entry >> nuke_entry_literal_shift);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap32(bytes);
#endif
  memcpy(output, &bytes, 4);
}

// Build the lookup tables. Return false if the code lengths are over-subscribed or incomplete. As in zlib, a single
// code of one bit is allowed, and a block without distance codes.
NUKE_HIDDEN bool nuke_build_literals(uint64_t *table, const uint8_t *lengths, uint32_t count);
NUKE_HIDDEN bool nuke_build_distances(uint64_t *table, const uint8_t *lengths, uint32_t count);

// Builds the table of the code length code. Each byte is symbol << 3 | length of its code.
NUKE_HIDDEN bool nuke_build_length_codes(uint8_t *table, const uint8_t *lengths);
