// What PNG does to the rows of an image before they are compressed, undone (PNG specification, 9).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nuke_kernels;

// Bytes behind the last stored row that must be readable.
enum { nuke_unfilter_padding = 16 };

// One implementation of every kernel; all give the same bytes.
typedef struct nuke_unfilter_kernels {
  // Makes RGBA of `count` stored rows of 8 bits a channel: gray (1 channel), gray and alpha (2), RGB (3) or RGBA (4),
  // each row behind a byte for its filter. `above` is the row above the first as this gave it, all zero where there is
  // none. False where a row has an unknown filter.
  bool (*rows)(
    uint8_t *pixels, const uint8_t *above, const uint8_t *stored, size_t width, size_t count, int channels);
  // Unfilters one stored row whose pixels have at most 8 bits in all into the `count` bytes of `row`. `above` is the row
  // above as this gave it, all zero where there is none. False where the filter is unknown.
  bool (*bytes)(uint8_t *row, const uint8_t *above, const uint8_t *stored, size_t count);
  // Adler-32 (RFC 1950, 8.2) of what `sum` stands for with `count` bytes more; that of no bytes is 1.
  uint32_t (*adler)(uint32_t sum, const uint8_t *bytes, size_t count);
} nuke_unfilter_kernels;

// The fastest implementation this processor runs.
const nuke_unfilter_kernels *nuke_unfilter_kernels_best(void);

// The implementation that goes with `kernels`.
const nuke_unfilter_kernels *nuke_unfilter_kernels_for(const struct nuke_kernels *kernels);

#ifdef __cplusplus
}
#endif
