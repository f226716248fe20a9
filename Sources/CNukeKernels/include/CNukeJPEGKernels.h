// What a JPEG decoder does after its coefficients are known (ITU-T T.81, A.3.3; JFIF 1.02).
//
// The results are those of libjpeg-turbo for x86-64 to the last bit: its accurate integer transform, its reduced ones,
// its "fancy" up-sampling. Where a damaged or an absurd image takes 16 bits past their end, they wrap and saturate
// where its registers do.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The inverse transform of `count` blocks that lie side by side: 64 coefficients each, row by row, with the steps of
// their quantization, to rows of `count` times N samples, `stride` bytes apart, N rows.
typedef void (*nuke_jpeg_inverse_dct)(
  uint8_t *samples, size_t stride, const int16_t *blocks, size_t count, const uint16_t *steps);

typedef struct nuke_jpeg_kernels {
  // To 8, 4 and 2 samples a side of a block.
  nuke_jpeg_inverse_dct inverse_dct8, inverse_dct4, inverse_dct2;
  // To one sample a block, of whose coefficients only the first counts.
  void (*inverse_dct1)(uint8_t *samples, const int16_t *coefficients, size_t count, uint16_t step);

  // Twice the samples of a row: a quarter of each comes from the next one on its side. At least two samples.
  void (*double_across)(uint8_t *destination, const uint8_t *source, size_t count);
  // The sums of three quarters of a sample of one row and a quarter of the other's; `bias` (1 or 2) is added before the
  // division.
  void (*double_down)(uint8_t *destination, const uint8_t *near, const uint8_t *far, size_t count, unsigned bias);
  // Both in one step. At least two samples.
  void (*double_both)(uint8_t *destination, const uint8_t *near, const uint8_t *far, size_t count);

  // Full-range YCbCr of BT.601 to opaque pixels.
  void (*ycc_to_rgba)(uint8_t *pixels, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, size_t count);
} nuke_jpeg_kernels;

#ifdef __cplusplus
}
#endif
