// DEFLATE (RFC 1951) with no matches except runs of one byte.
//
// The filtered rows of a photograph resemble noise. Matches in noise cost more than the literals that they replace, so
// only Huffman codes save bytes. This is several times as fast as searching for matches, and usually produces less
// data.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nuke_png_runs nuke_png_runs;

// Returns NULL if memory cannot be allocated.
nuke_png_runs *nuke_png_runs_create(void);
void nuke_png_runs_free(nuke_png_runs *runs);

// Returns the maximum compressed size of `count` bytes.
size_t nuke_png_runs_bound(size_t count);

// Writes a complete zlib stream of `count` bytes, and returns its length; 0 if `room` is less than the bound.
size_t nuke_png_runs_compress(
  nuke_png_runs *runs, const uint8_t *bytes, size_t count, uint8_t *output, size_t room);

// Starts a zlib stream that is written in pieces.
void nuke_png_runs_start(nuke_png_runs *runs);

// Writes blocks of the next `count` bytes of the stream, and its end if `is_last`. Returns their length; 0 if `room` is
// less than the bound.
size_t nuke_png_runs_write(
  nuke_png_runs *runs, const uint8_t *bytes, size_t count, bool is_last, uint8_t *output, size_t room);
