// What PNG does to the rows of an image before they are compressed (PNG specification, 9).
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nuke_kernels;

// None, Sub, Up, Average and Paeth, by which PNG numbers them from 0 on.
enum { nuke_filter_count = 5 };

// One implementation of every kernel; all give the same bytes.
//
// A row has `count` bytes and `step` bytes a pixel, 1...8; pixels of less than a byte have a step of 1. The `step` bytes
// in front of `row` and of `above` are read too: they must be 0. Of the first row of an image, `above` is all 0.
typedef struct nuke_filter_kernels {
  // What each filter leaves: the sum of its bytes, each taken as signed and without its sign. The filter with the least
  // sum is usually the one that compresses best (PNG specification, 12.8).
  void (*costs)(uint64_t costs[nuke_filter_count], const uint8_t *row, const uint8_t *above, size_t count, size_t step);
  // The filtered row, without the byte that names the filter.
  void (*apply)(
    uint8_t *output, const uint8_t *row, const uint8_t *above, size_t count, size_t step, int filter);
} nuke_filter_kernels;

// The fastest implementation this processor runs.
const nuke_filter_kernels *nuke_filter_kernels_best(void);

// The implementation that goes with `kernels`.
const nuke_filter_kernels *nuke_filter_kernels_for(const struct nuke_kernels *kernels);

#ifdef __cplusplus
}
#endif
