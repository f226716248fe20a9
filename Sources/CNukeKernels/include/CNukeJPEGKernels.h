// The stages of a JPEG decoder after entropy decoding: dequantization and inverse transform (ITU-T T.81, A.3.3),
// upsampling, and color conversion (JFIF 1.02).
//
// Results are bit-identical to those of libjpeg-turbo on x86-64: its accurate integer transform, its reduced
// transforms, and its "fancy" upsampling. If damaged images overflow 16 bits, values wrap and saturate as in its SIMD
// code.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Dequantizes and transforms `count` adjacent blocks of 64 coefficients. Writes N rows of `count` times N samples,
// `stride` bytes apart.
typedef void (*nuke_jpeg_inverse_dct)(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps);

typedef struct nuke_jpeg_kernels {
  // Produce 8, 4 and 2 samples per side of a block.
  nuke_jpeg_inverse_dct inverse_dct8, inverse_dct4, inverse_dct2;
  // Produces one sample per block, from the DC coefficients only.
  void (*inverse_dct1)(uint8_t *samples, const int16_t *coefficients, size_t count, uint16_t step);

  // Doubles a row horizontally. Each output is 3/4 of a sample and 1/4 of its neighbor. At least two samples.
  void (*double_across)(uint8_t *destination, const uint8_t *source, size_t count);
  // Doubles vertically: 3/4 of a sample of one row and 1/4 of the other. `bias` (1 or 2) is the rounding term.
  void (*double_down)(uint8_t *destination, const uint8_t *near, const uint8_t *far, size_t count, unsigned bias);
  // Doubles in both directions. At least two samples.
  void (*double_both)(uint8_t *destination, const uint8_t *near, const uint8_t *far, size_t count);

  // Converts full-range BT.601 YCbCr to opaque pixels.
  void (*ycc_to_rgba)(uint8_t *pixels, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, size_t count);
} nuke_jpeg_kernels;

#ifdef __cplusplus
}
#endif
