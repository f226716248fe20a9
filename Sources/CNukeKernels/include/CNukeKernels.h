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
#include "CNukeUnfilter.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The instruction sets the kernels are written for. All give the same bytes.
typedef enum nuke_kernel_variant {
  nuke_kernel_variant_scalar = 0,
  nuke_kernel_variant_sse41 = 1,
  nuke_kernel_variant_avx2 = 2,
  nuke_kernel_variant_neon = 3,
  /// AVX-512 with byte and word instructions and VNNI.
  nuke_kernel_variant_avx512 = 4,
} nuke_kernel_variant;

/// Fixed point of resampling weights: 1.0 is 1 << 14. The weights of one output sum to exactly that.
enum { nuke_weight_shift = 14 };

/// Linear light is counted from 0 to this.
enum { nuke_light_one = 32767 };

/// Fixed point of color matrices: 1.0 is 1 << 12.
enum { nuke_matrix_shift = 12 };

/// How one axis is resampled: output i is the sum over k of weights[i * taps + k] times input starts[i] + k.
typedef struct nuke_resampling_axis {
  /// Outputs.
  int32_t count;
  /// Weights an output; across a row a multiple of four.
  int32_t taps;
  const int32_t *starts;
  const int16_t *weights;
  /// `true` if output i is input starts[0] + i as it is; the kernels then do nothing along this axis.
  bool copies;
} nuke_resampling_axis;

/// Linear light for each byte of sRGB, and 256 times the byte for all linear light.
typedef struct nuke_light_tables {
  const int16_t *linear;
  const uint16_t *encoded;
} nuke_light_tables;

/// One implementation of every kernel.
///
/// Pixels are four bytes: red, green, blue, alpha, unless a name says otherwise. Counts are pixels. No kernel reads or
/// writes outside the pixels it is given. Where source and destination have pixels of equal size they may be the same
/// memory; they must not overlap in another way.
typedef struct nuke_kernels {
  nuke_kernel_variant variant;

  /// Multiplies color with alpha, rounded to nearest. Returns whether every alpha was 255.
  bool (*premultiply)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Divides color by alpha, rounded to nearest (halves up), at most 255; transparent pixels become zero.
  void (*unpremultiply)(uint8_t *destination, const uint8_t *source, size_t count);

  /// Exchanges the first and third channel: RGBA to BGRA and back.
  void (*swap_red_blue)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Three bytes a pixel to four, opaque.
  void (*rgb_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// One byte a pixel to four, opaque.
  void (*gray_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Gray and alpha to four bytes; nothing is multiplied.
  void (*gray_alpha_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Sets every alpha to 255.
  void (*set_opaque)(uint8_t *pixels, size_t count);
  /// `true` if every alpha is 255.
  bool (*is_opaque)(const uint8_t *pixels, size_t count);

  /// Resamples `count` rows, one to four, along the row. Up to three pixels behind the last input with a weight are
  /// read (their weights are zero).
  void (*resample_columns)(
    uint8_t *const *destinations, const uint8_t *const *sources, int32_t count, const nuke_resampling_axis *axis);
  /// The weighted sum of `taps` rows of `bytes` bytes, rounded and clamped to a byte.
  void (*resample_rows)(
    uint8_t *destination, const uint8_t *const *rows, size_t bytes, const int16_t *weights, int32_t taps);
  /// The same with components of linear light in 16 bits, four a pixel. The sources begin with the first pixel that has a weight.
  void (*resample_light_columns)(
    int16_t *const *destinations, const int16_t *const *sources, int32_t count, const nuke_resampling_axis *axis);
  /// The weighted sum of `taps` rows of `count` components, rounded and clamped to 0...nuke_light_one.
  void (*resample_light_rows)(
    int16_t *destination, const int16_t *const *rows, size_t count, const int16_t *weights, int32_t taps);
  /// Lowers color to alpha where it is above, as it may be next to an edge after a filter with negative weights.
  void (*clamp_to_alpha)(uint8_t *pixels, size_t count);

  /// Red, green and blue as sums of all three and of alpha, by three rows of four weights; clamped to 0...alpha.
  void (*color_matrix)(uint8_t *destination, const uint8_t *source, size_t count, const int16_t *matrix);
  /// What is done with colors as floats.
  const nuke_plane_kernels *planes;
  /// What makes pixels of a JPEG's coefficients.
  const nuke_jpeg_kernels *jpeg;
  /// What takes more than one pixel to make a pixel.
  const nuke_neighbor_kernels *neighbors;
} nuke_kernels;

/// The fastest implementation this processor runs; chosen at the first call.
const nuke_kernels *nuke_kernels_best(void);

#ifdef NUKE_FUZZING
/// Makes `nuke_kernels_best` return one of the implementations that this processor runs. Call it before anything else,
/// and while no kernel runs.
void nuke_kernels_choose(unsigned number);
#endif

/// The implementation for `variant`, or NULL where this processor lacks its instructions.
const nuke_kernels *nuke_kernels_for(nuke_kernel_variant variant);

/// Bytes of scratch memory that `nuke_resample` needs, which must be aligned for a pointer.
size_t nuke_resample_scratch(const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical);

/// Resamples premultiplied pixels, first along the rows, then down the columns.
///
/// The axes count from the pixel at `source`. Behind the last row that is used 12 bytes must be readable.
void nuke_resample(
  const nuke_kernels *kernels, const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical,
  const uint8_t *source, size_t source_stride, uint8_t *destination, size_t destination_stride, void *scratch);

/// Bytes of scratch memory that `nuke_resample_linear` needs, which must be aligned for a pointer.
size_t nuke_resample_linear_scratch(const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical);

/// As `nuke_resample`, in linear light: color is divided by alpha, decoded, multiplied with alpha, and at the end the
/// other way round. `opaque` promises that every alpha is 255.
void nuke_resample_linear(
  const nuke_kernels *kernels, nuke_light_tables tables, bool opaque, const nuke_resampling_axis *horizontal,
  const nuke_resampling_axis *vertical, const uint8_t *source, size_t source_stride, uint8_t *destination,
  size_t destination_stride, void *scratch);

/// Takes the pixel at the start of each output along both axes, as it is.
void nuke_resample_nearest(
  const nuke_resampling_axis *horizontal, const nuke_resampling_axis *vertical, const uint8_t *source,
  size_t source_stride, uint8_t *destination, size_t destination_stride);

#ifdef __cplusplus
}
#endif
