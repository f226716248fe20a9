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
  // Other modes of one channel by itself, composited as those of the recommendation.
  nuke_blend_linear_burn,
  nuke_blend_linear_dodge,
  nuke_blend_linear_light,
  nuke_blend_pin_light,
  nuke_blend_vivid_light,
  nuke_blend_hard_mix,
  nuke_blend_divide,
  nuke_blend_subtract,
} nuke_blend_mode;

// `opacity`, from 0 to 1, is multiplied with the image above. With `atop` that counts only where the one below is,
// whose alpha the result then has.
void nuke_blend(
  uint8_t *destination, const uint8_t *above, const uint8_t *below, size_t count, nuke_blend_mode mode, float opacity,
  bool atop);

// Interpolates between two images by a mask byte: 255 selects the first, 0 the second.
void nuke_mix(
  uint8_t *destination, const uint8_t *first, const uint8_t *second, const uint8_t *mask, size_t count);

// Adds to each color its difference from a blurred version times `amount`, or that of the luminance alone; clamped to
// 0...alpha. Alpha is that of the source.
void nuke_add_difference(
  uint8_t *destination, const uint8_t *source, const uint8_t *blurred, size_t count, float amount, bool luminance);

// A box blur over 2 * radius + 1 pixels in both directions, by running sums. Edge pixels are repeated. `middle` has the
// size of the image, `sums` four numbers for each column. The radius is at most 32,767.
void nuke_box_blur(
  uint8_t *destination, uint8_t *middle, const uint8_t *source, size_t width, size_t height, size_t radius,
  uint32_t *sums);

#ifdef __cplusplus
}
#endif
