// Shared by the encoder of whole images and the encoder of rows.
#pragma once
#include "CNukePNGShim.h"
#include "png_deflate.h"
#include "png_filter.h"

// How filtered rows are compressed: by matches of any bytes, by runs of one byte, or by matches of whole pixels.
typedef enum { nuke_png_by_matches, nuke_png_by_runs, nuke_png_by_pixels } nuke_png_coder;

// How rows are filtered and compressed.
typedef struct {
  nuke_png_filtering filtering;
  nuke_png_coder coder;
} nuke_png_way;

enum {
  nuke_png_signature_and_header = 8 + 25,
  // The number of bytes of a chunk in addition to its content.
  nuke_png_chunk_frame = 12,
};

// Finds the method that compresses a sample of the image to the fewest bytes, at a level other than 0. Returns false if
// memory cannot be allocated.
bool nuke_png_choose(const nuke_png_image *image, nuke_png_way *way);

// Returns which matches are found by runs or pixels. A higher level compares each pixel with more others,
// and level 8 selects among all matches by their cost.
nuke_png_search nuke_png_searching(const nuke_png_filter *filter, nuke_png_coder coder);

// Returns the maximum compressed size of `count` bytes with any coder.
size_t nuke_png_bound(size_t count);

// Writes the signature, the header and the chunks of the image. Returns their end.
uint8_t *nuke_png_write_start(const nuke_png_image *image, uint8_t *output);

// Writes length, type and checksum around the content of a chunk, which begins 8 bytes after `start`. Returns its end.
uint8_t *nuke_png_frame(uint8_t *start, const char *type, size_t count);
