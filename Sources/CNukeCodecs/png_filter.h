// The filtered rows of an image being encoded.
#pragma once
#include "CNukePNGShim.h"

#include <CNukeKernels.h>
#include <stdbool.h>

// How the filter of a row is selected.
typedef enum {
  nuke_png_filtering_none = 0,
  // By the smallest sum of the absolute values of its bytes as signed numbers.
  nuke_png_filtering_sum,
  // By the smallest entropy of its bytes, which approximates the size of Huffman codes.
  nuke_png_filtering_entropy,
} nuke_png_filtering;

typedef struct {
  const nuke_png_image *image;
  const nuke_filter_kernels *kernels;
  // The number of bytes of a row, and of a pixel.
  size_t count, step;
  uint8_t *memory;
  // Two rows, each preceded by zeros for the pixel before the first one.
  uint8_t *row, *above;
} nuke_png_filter;

// Returns false if memory cannot be allocated.
bool nuke_png_filter_start(nuke_png_filter *filter, const nuke_png_image *image, size_t count, size_t step);
void nuke_png_filter_end(nuke_png_filter *filter);

// Writes filtered rows, starting with `first`, each preceded by its filter number.
void nuke_png_filter_rows(
  nuke_png_filter *filter, uint32_t first, uint32_t count, nuke_png_filtering filtering, uint8_t *output);
