#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CNukeOrientation.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The instruction sets the kernels are written for. All give the same bytes.
typedef enum nuke_kernel_variant {
  nuke_kernel_variant_scalar = 0,
  nuke_kernel_variant_sse41 = 1,
  nuke_kernel_variant_avx2 = 2,
  nuke_kernel_variant_neon = 3,
} nuke_kernel_variant;

/// One implementation of every kernel.
///
/// Pixels are four bytes: red, green, blue, alpha, unless a name says otherwise. Counts are pixels. No kernel reads or
/// writes outside the pixels it is given. Where source and destination have pixels of equal size they may be the same
/// memory; they must not overlap in another way.
typedef struct nuke_kernels {
  nuke_kernel_variant variant;

  /// Multiplies colour with alpha, rounded to nearest. Returns whether every alpha was 255.
  bool (*premultiply)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Divides colour by alpha, rounded to nearest (halves up), at most 255; transparent pixels become zero.
  void (*unpremultiply)(uint8_t *destination, const uint8_t *source, size_t count);

  /// Exchanges the first and third channel: RGBA to BGRA and back.
  void (*swap_red_blue)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Three bytes a pixel to four, opaque.
  void (*rgb_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// One byte a pixel to four, opaque.
  void (*gray_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Grey and alpha to four bytes; nothing is multiplied.
  void (*gray_alpha_to_rgba)(uint8_t *destination, const uint8_t *source, size_t count);
  /// Sets every alpha to 255.
  void (*set_opaque)(uint8_t *pixels, size_t count);
  /// Whether every alpha is 255.
  bool (*is_opaque)(const uint8_t *pixels, size_t count);
} nuke_kernels;

/// The fastest implementation this processor runs; chosen at the first call.
const nuke_kernels *nuke_kernels_best(void);

/// The implementation for `variant`, or NULL where this processor lacks its instructions.
const nuke_kernels *nuke_kernels_for(nuke_kernel_variant variant);

#ifdef __cplusplus
}
#endif
