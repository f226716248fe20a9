// The filters that PNG applies to rows before compression (PNG specification, 9).
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nuke_kernels;

// The filters in the order of their numbers in PNG, from 0: None, Sub, Up, Average and Paeth.
enum { nuke_filter_count = 5 };

// One implementation of all kernels. All produce the same bytes.
//
// A row has `count` bytes, and `step` bytes per pixel, 1...8; the step is 1 for pixels of less than a byte. The `step`
// bytes before `row` and `above` are also read and must be 0. For the first row of an image, `above` is 0.
typedef struct nuke_filter_kernels {
  // The cost of each filter: the sum of the absolute values of its bytes as signed numbers. The filter with the
  // smallest sum usually compresses best (PNG specification, 12.8).
  void (*costs)(uint64_t costs[nuke_filter_count], const uint8_t *row, const uint8_t *above, size_t count, size_t step);
  // Filters a row, without the byte for the filter number.
  void (*apply)(
    uint8_t *output, const uint8_t *row, const uint8_t *above, size_t count, size_t step, int filter);
} nuke_filter_kernels;

// Returns the fastest implementation for this processor.
const nuke_filter_kernels *nuke_filter_kernels_best(void);

// Returns the implementation that corresponds to `kernels`.
const nuke_filter_kernels *nuke_filter_kernels_for(const struct nuke_kernels *kernels);

#ifdef __cplusplus
}
#endif
