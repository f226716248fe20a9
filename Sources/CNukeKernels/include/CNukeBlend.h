// Composites two images of the same size: premultiplied pixels of four bytes. The destination may be one of the
// sources.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Blend modes (W3C Compositing and Blending Level 1), and the Porter-Duff operators.
typedef enum nuke_blend_mode {
  nuke_blend_normal,
  nuke_blend_multiply,
  nuke_blend_screen,
  nuke_blend_overlay,
  nuke_blend_darken,
  nuke_blend_lighten,
  nuke_blend_color_dodge,
  nuke_blend_color_burn,
  nuke_blend_hard_light,
  nuke_blend_soft_light,
  nuke_blend_difference,
  nuke_blend_exclusion,
  nuke_blend_hue,
  nuke_blend_saturation,
  nuke_blend_color,
  nuke_blend_luminosity,
  nuke_blend_source_in,
  nuke_blend_source_out,
  nuke_blend_source_atop,
  nuke_blend_addition,
  nuke_blend_maximum,
  nuke_blend_minimum,
  // Other modes that work on each channel separately, composited like those of the recommendation.
  nuke_blend_linear_burn,
  nuke_blend_linear_dodge,
  nuke_blend_linear_light,
  nuke_blend_pin_light,
  nuke_blend_vivid_light,
  nuke_blend_hard_mix,
  nuke_blend_divide,
  nuke_blend_subtract,
} nuke_blend_mode;

// Multiplies the top image by `opacity`, from 0 to 1. With `atop`, it is visible only where the bottom image is, and
// the result has the alpha of the bottom image.
void nuke_blend(
  uint8_t *destination, const uint8_t *above, const uint8_t *below, size_t count, nuke_blend_mode mode, float opacity,
  bool atop);

// Interpolates between two images by a mask byte: 255 selects the first, 0 the second.
void nuke_mix(
  uint8_t *destination, const uint8_t *first, const uint8_t *second, const uint8_t *mask, size_t count);

// Adds `amount` times the difference between each color and its blurred version, or between their luminances, clamped
// to 0...alpha. The alpha is that of the source.
void nuke_add_difference(
  uint8_t *destination, const uint8_t *source, const uint8_t *blurred, size_t count, float amount, bool luminance);

// Box blur over 2 * radius + 1 pixels in both directions, with running sums. Edge pixels are repeated. `middle` has the
// size of the image, and `sums` four numbers per column. The radius is at most 32,767.
void nuke_box_blur(
  uint8_t *destination, uint8_t *middle, const uint8_t *source, size_t width, size_t height, size_t radius,
  uint32_t *sums);

#ifdef __cplusplus
}
#endif
