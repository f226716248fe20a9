// The filtered rows of an image that is encoded.
#pragma once
#include "CNukePNGShim.h"

#include <CNukeKernels.h>
#include <stdbool.h>

// How the filter of a row is chosen.
typedef enum {
  nuke_png_filtering_none = 0,
  // The one with the least sum of bytes, taken as signed and without their sign.
  nuke_png_filtering_sum,
  // The one whose bytes have the least entropy, which is what Huffman codes come close to.
  nuke_png_filtering_entropy,
} nuke_png_filtering;

typedef struct {
  const nuke_png_image *image;
  const nuke_filter_kernels *kernels;
  // Bytes of a row and of a pixel.
  size_t count, step;
  uint8_t *memory;
  // Two rows, behind the zeros that filters take for the pixel in front of the first one.
  uint8_t *row, *above;
} nuke_png_filter;

// False where there is no memory.
bool nuke_png_filter_start(nuke_png_filter *filter, const nuke_png_image *image, size_t count, size_t step);
void nuke_png_filter_end(nuke_png_filter *filter);

// Writes the rows from `first` on, each behind the number of its filter.
void nuke_png_filter_rows(
  nuke_png_filter *filter, uint32_t first, uint32_t count, nuke_png_filtering filtering, uint8_t *output);
