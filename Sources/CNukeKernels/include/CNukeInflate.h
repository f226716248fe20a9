// Inflating DEFLATE (RFC 1951) in pieces.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // How far back a match reaches at most.
  nuke_inflate_window = 32768,
  // Bytes behind the limit of the output that may be written.
  nuke_inflate_slack = 320,
  nuke_inflate_literal_bits = 11,
  nuke_inflate_distance_bits = 9,
  // A code has at most 288 symbols, or 32. Each of its second tables has two of them at least, and is as long as codes
  // of 15 bits need.
  nuke_inflate_literal_entries = (1 << nuke_inflate_literal_bits) + 144 * (1 << (15 - nuke_inflate_literal_bits)),
  nuke_inflate_distance_entries = (1 << nuke_inflate_distance_bits) + 16 * (1 << (15 - nuke_inflate_distance_bits)),
};

typedef enum nuke_inflate_result {
  // The output is full; there may be more.
  nuke_inflate_full,
  // The last block ended. The bytes behind it can be had of nuke_inflate_byte.
  nuke_inflate_done,
  // The stream is damaged, or its end is missing. There is nothing more to be had of it.
  nuke_inflate_failed,
} nuke_inflate_result;

// Gives the next piece of the input, which is not empty; `false` if there is none.
typedef bool (*nuke_inflate_source)(void *context, const uint8_t **bytes, size_t *count);

// All fields are private.
typedef struct nuke_inflate {
  uint64_t bits;
  uint32_t bit_count;
  const uint8_t *input, *input_end;
  nuke_inflate_source source;
  void *context;
  int state;
  bool is_last;
  uint32_t stored;
  uint64_t literals[nuke_inflate_literal_entries];
  uint64_t distances[nuke_inflate_distance_entries];
} nuke_inflate;

// Nothing is read yet. The stream is one of DEFLATE, without a header.
void nuke_inflate_start(nuke_inflate *inflate, nuke_inflate_source source, void *context);

// Inflates to `*output`, which is moved on, until it reaches `limit` or the stream ends.
//
// Matches may reach back to `history`: the last nuke_inflate_window bytes of what was inflated before, or all where
// there were fewer. What zlib refuses is refused.
nuke_inflate_result nuke_inflate_run(
  nuke_inflate *inflate, const uint8_t *history, uint8_t **output, const uint8_t *limit);

// The next byte behind the last block, or before the first one; -1 where there is none.
int nuke_inflate_byte(nuke_inflate *inflate);

// Whether nothing is left of the current piece of the input.
bool nuke_inflate_is_at_end_of_piece(const nuke_inflate *inflate);

#ifdef __cplusplus
}
#endif
