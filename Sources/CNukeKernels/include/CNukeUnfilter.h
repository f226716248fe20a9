// Reverses the filters that PNG applies to rows before compression (PNG specification, 9).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nuke_kernels;

// The number of bytes after the last stored row, and after an unfiltered one, that must be readable.
enum { nuke_unfilter_padding = 16 };

// One implementation of all kernels. All produce the same bytes.
typedef struct nuke_unfilter_kernels {
  // Converts `count` stored rows with 8 bits per channel to RGBA: gray (1 channel), gray and alpha (2), RGB (3) or
  // RGBA (4). Each row begins with a byte for its filter. `above` is the converted row above the first one, all zero if
  // there is none. Returns false if a row has an unknown filter.
  bool (*rows)(
    uint8_t *pixels, const uint8_t *above, const uint8_t *stored, size_t width, size_t count, int channels);
  // Unfilters one stored row into the `count` bytes of `row`. `step` is the distance in bytes to the same byte of the
  // previous pixel: 1, 2, 4, 6 or 8. `above` is the unfiltered row above, all zero if there is none. Both have
  // `nuke_unfilter_padding` more bytes, which may be changed. Returns false if the filter is unknown.
  bool (*bytes)(uint8_t *row, const uint8_t *above, const uint8_t *stored, size_t count, size_t step);
  // Converts an unfiltered row of big-endian samples of 16 bits to RGBA, each rounded to the nearest value of 8 bits.
  // `nuke_unfilter_padding` bytes after the row must be readable.
  void (*narrow)(uint8_t *pixels, const uint8_t *row, size_t width, int channels);
  // Returns the Adler-32 checksum (RFC 1950, 8.2) after `count` more bytes. `sum` is the checksum so far, initially 1.
  uint32_t (*adler)(uint32_t sum, const uint8_t *bytes, size_t count);
} nuke_unfilter_kernels;

// Returns the fastest implementation for this processor.
const nuke_unfilter_kernels *nuke_unfilter_kernels_best(void);

// Returns the implementation that corresponds to `kernels`.
const nuke_unfilter_kernels *nuke_unfilter_kernels_for(const struct nuke_kernels *kernels);

#ifdef __cplusplus
}
#endif
