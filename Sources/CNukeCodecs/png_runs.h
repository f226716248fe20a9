// DEFLATE (RFC 1951) with no matches but runs of one byte.
//
// The filtered rows of a photograph are close to noise. Matches that are found in it cost more than the literals that
// they replace; what is left to save is in the Huffman codes. So this is several times faster than any search, and most
// often shorter too.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct nuke_png_runs nuke_png_runs;

// NULL where there is no memory.
nuke_png_runs *nuke_png_runs_create(void);
void nuke_png_runs_free(nuke_png_runs *runs);

// The most bytes to which `count` are compressed.
size_t nuke_png_runs_bound(size_t count);

// Writes a whole zlib stream of `count` bytes, and returns its length; 0 where `room` is less than the bound.
size_t nuke_png_runs_compress(
  nuke_png_runs *runs, const uint8_t *bytes, size_t count, uint8_t *output, size_t room);
