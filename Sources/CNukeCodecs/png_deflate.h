// DEFLATE (RFC 1951) for filtered rows, by whole pixels or without matches.
//
// The filtered rows of a photograph resemble noise. Matches in noise cost more than the literals that they replace, so
// only Huffman codes and runs of one byte save bytes. Graphics repeat whole pixels: matches that begin and end with
// pixels are found several times as fast as matches of any bytes, and usually produce less data.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nuke_png_deflate nuke_png_deflate;

// Which matches are found.
typedef struct {
  // The number of bytes of a pixel: 1, 2, 3, 4, 6 or 8; 0 to find only runs of one byte.
  size_t step;
  // The number of bytes of a row with its filter number.
  size_t stride;
  // The number of earlier positions with which each pixel is compared, at most 64.
  uint32_t candidates;
  // If it is 0, the longest match of each pixel is taken. Otherwise literals and matches of all lengths are selected by
  // their number of bits, except that matches of this length are taken at once.
  size_t nice_length;
} nuke_png_search;

// Returns NULL if memory cannot be allocated.
nuke_png_deflate *nuke_png_deflate_create(void);
void nuke_png_deflate_free(nuke_png_deflate *deflate);

// Returns the maximum compressed size of `count` bytes.
size_t nuke_png_deflate_bound(size_t count);

// Writes a complete zlib stream of `count` bytes, and returns its length; 0 if `room` is less than the bound.
size_t nuke_png_deflate_compress(
  nuke_png_deflate *deflate, nuke_png_search search, const uint8_t *bytes, size_t count, uint8_t *output, size_t room);

// Starts a zlib stream that is written in pieces.
void nuke_png_deflate_start(nuke_png_deflate *deflate, nuke_png_search search);

// Writes blocks of the next `count` bytes of the stream, which are whole rows, and its end if `is_last`. Finds matches
// only among these bytes. Returns the length of the blocks; 0 if `room` is less than the bound.
size_t nuke_png_deflate_write(
  nuke_png_deflate *deflate, const uint8_t *bytes, size_t count, bool is_last, uint8_t *output, size_t room);
