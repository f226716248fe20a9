#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "CNukeBlend.h"
#include "CNukeCoverage.h"
#include "CNukeDeep.h"
#include "CNukeFilter.h"
#include "CNukeInflate.h"
#include "CNukeJPEGKernels.h"
#include "CNukeNeighbors.h"
#include "CNukeOrientation.h"
#include "CNukePlanes.h"
#include "CNukeReduce.h"
#include "CNukeUnfilter.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The instruction sets of the kernels. All produce the same bytes.
typedef enum nuke_kernel_variant {
  nuke_kernel_variant_scalar = 0,
  nuke_kernel_variant_sse41 = 1,
  nuke_kernel_variant_avx2 = 2,
  nuke_kernel_variant_neon = 3,
  /// AVX-512 with byte and word instructions and VNNI.
  nuke_kernel_variant_avx512 = 4,
} nuke_kernel_variant;

/// The fixed-point scale of resampling weights: 1.0 is 1 << 14, and the weights of each output sum to exactly that.
enum { nuke_weight_shift = 14 };

/// The maximum of linear light.
enum { nuke_light_one = 32767 };

/// The fixed-point scale of color matrices: 1.0 is 1 << 12.
enum { nuke_matrix_shift = 12 };

/// The resampling of one axis: output i is the sum over k of weights[i * taps + k] times input starts[i] + k.
typedef struct nuke_resampling_axis {
  /// The number of outputs.
  int32_t count;
  /// The number of weights per output; for rows, a multiple of four.
  int32_t taps;
  const int32_t *starts;
  const int16_t *weights;
  /// `true` if output i is input starts[0] + i unchanged. The kernels then skip this axis.
  bool copies;
} nuke_resampling_axis;

/// The linear light of each sRGB byte, and 256 times the byte for each linear light.
typedef struct nuke_light_tables {
  const int16_t *linear;
  const uint16_t *encoded;
} nuke_light_tables;

/// One implementation of all kernels.
///
/// Pixels are four bytes, red, green, blue and alpha, unless a name says otherwise. Counts are pixels. No kernel reads
/// or writes outside the given pixels. If source and destination have pixels of equal size, they may be the same
/// memory; they must not overlap otherwise.
typedef struct nuke_kernels {
  nuke_kernel_variant variant;

  /// Multiplies color by alpha, rounded to nearest. Returns whether every alpha was 255.
  bool (*premultiply)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Divides color by alpha, rounded to nearest (halves up), at most 255. Transparent pixels become zero.
  void (*unpremultiply)(uint8_t *destination, const uint8_t *source, size_t count);

  /// Swaps the first and third channel, RGBA and BGRA.
  void (*swap_red_blue)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Converts three bytes per pixel to four, opaque.
  void (*rgb_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Converts one byte per pixel to four, opaque.
  void (*gray_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Converts gray and alpha to four bytes, without multiplication.
  void (*gray_alpha_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Sets every alpha to 255.
  void (*set_opaque)(uint8_t *pixels, size_t count);
  /// `true` if every alpha is 255.
  bool (*is_opaque)(const uint8_t *pixels, size_t count);

  /// Resamples `count` rows, one to four, horizontally. Up to three pixels after the last input are read, with weight
  /// zero.
  void (*resample_columns)(
    uint8_t *const *destinations, const uint8_t *const *sources, int32_t count, const nuke_resampling_axis *axis);
  /// Computes the weighted sum of `taps` rows of `bytes` bytes, rounded and clamped to a byte.
  void (*resample_rows)(
    uint8_t *destination, const uint8_t *const *rows, size_t bytes, const int16_t *weights, int32_t taps);
  /// The same for 16-bit components of linear light, four per pixel. The sources begin with the first pixel that has a
  /// weight.
  void (*resample_light_columns)(
    int16_t *const *destinations, const int16_t *const *sources, int32_t count, const nuke_resampling_axis *axis);
  /// Computes the weighted sum of `taps` rows of `count` components, rounded and clamped to 0...nuke_light_one.
  void (*resample_light_rows)(
    int16_t *destination, const int16_t *const *rows, size_t count, const int16_t *weights, int32_t taps);
  /// Clamps color to alpha. Filters with negative weights can exceed it next to an edge.
  void (*clamp_to_alpha)(uint8_t *pixels, size_t count);

  /// Computes red, green and blue as weighted sums of the four channels, with three rows of four weights, clamped to
  /// 0...alpha.
  void (*color_matrix)(uint8_t *destination, const uint8_t *source, size_t count, const int16_t *matrix);
  /// Operations on colors as floats.
  const nuke_plane_kernels *planes;
  /// The conversion of JPEG coefficients to pixels.
  const nuke_jpeg_kernels *jpeg;
  /// Operations that read several pixels for each one.
  const nuke_neighbor_kernels *neighbors;
} nuke_kernels;

/// Returns the fastest implementation for this processor, selected at the first call.
const nuke_kernels *nuke_kernels_best(void);

#ifdef NUKE_FUZZING
/// Makes `nuke_kernels_best` return one of the implementations that this processor runs. Call it before anything else,
/// and while no kernel runs.
void nuke_kernels_choose(unsigned number);
#endif

/// Returns the implementation of `variant`, or NULL if this processor does not support it.
const nuke_kernels *nuke_kernels_for(nuke_kernel_variant variant);

/// Returns the scratch memory for `nuke_resample` in bytes. It must be aligned for a pointer.
size_t nuke_resample_scratch(const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical);

/// Resamples premultiplied pixels, first horizontally, then vertically.
///
/// The axes count from the pixel at `source`. 12 bytes after the last used row must be readable.
void nuke_resample(
  const nuke_kernels *kernels, const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical,
  const uint8_t *source, size_t source_stride, uint8_t *destination, size_t destination_stride, void *scratch);

/// Returns the scratch memory for `nuke_resample_linear` in bytes. It must be aligned for a pointer.
size_t nuke_resample_linear_scratch(const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical);

/// Like `nuke_resample`, but in linear light: color is divided by alpha, linearized and multiplied by alpha, and
/// finally converted back. With `opaque`, every alpha must be 255.
void nuke_resample_linear(
  const nuke_kernels *kernels, nuke_light_tables tables, bool opaque, const nuke_resampling_axis *horizontal,
  const nuke_resampling_axis *vertical, const uint8_t *source, size_t source_stride, uint8_t *destination,
  size_t destination_stride, void *scratch);

/// Copies the pixel at the start of each output along both axes.
void nuke_resample_nearest(
  const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical, const uint8_t *source,
  size_t source_stride, uint8_t *destination, size_t destination_stride);

#ifdef __cplusplus
}
#endif
