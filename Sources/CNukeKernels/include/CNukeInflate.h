// Inflating DEFLATE (RFC 1951) in pieces.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // The maximum distance of a match.
  nuke_inflate_window = 32768,
  // The number of bytes past the limit of the output that may be overwritten.
  nuke_inflate_slack = 320,
  nuke_inflate_literal_bits = 11,
  nuke_inflate_distance_bits = 9,
  // The literal code has at most 288 symbols, the distance code 32. A second-level table contains at least two of them,
  // and has an entry for every continuation up to 15 bits.
  nuke_inflate_literal_entries = (1 << nuke_inflate_literal_bits) + 144 * (1 << (15 - nuke_inflate_literal_bits)),
  nuke_inflate_distance_entries = (1 << nuke_inflate_distance_bits) + 16 * (1 << (15 - nuke_inflate_distance_bits)),
};

typedef enum nuke_inflate_result {
  // The output is full. There may be more data.
  nuke_inflate_full,
  // The last block ended. Read the bytes after it with nuke_inflate_byte.
  nuke_inflate_done,
  // The stream is damaged or truncated. It cannot be continued.
  nuke_inflate_failed,
} nuke_inflate_result;

// Provides the next piece of the input, which must not be empty. Returns `false` at the end.
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

// Prepares to inflate a raw DEFLATE stream, without a zlib or gzip header. Reads nothing.
void nuke_inflate_start(nuke_inflate *inflate, nuke_inflate_source source, void *context);

// Inflates to `*output`, and advances it, until it reaches `limit` or the stream ends.
//
// Matches may refer to `history`: the last nuke_inflate_window bytes of the previous output, or fewer at its start.
// Streams that zlib rejects are rejected.
nuke_inflate_result nuke_inflate_run(
  nuke_inflate *inflate, const uint8_t *history, uint8_t **output, const uint8_t *limit);

// Returns the next byte after the last block or before the first one; -1 if there is none.
int nuke_inflate_byte(nuke_inflate *inflate);

// Returns true if the current input piece is used up.
bool nuke_inflate_is_at_end_of_piece(const nuke_inflate *inflate);

#ifdef __cplusplus
}
#endif
