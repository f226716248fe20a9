// Per-pixel operations on float colors, in blocks of four planes: straight (not premultiplied) red, green, blue and
// alpha, with 1 as the maximum.
//
// A chain of operations is applied block by block, so that the image is read and written once. Each operation processes
// the whole block; pixels after the last one are zero when it is loaded.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // The number of pixels in a block.
  nuke_block = 256,
  // The number of entries of a curve from 0 to 1. Each byte value falls on an entry.
  nuke_curve_entries = 255 * 8 + 1,
};

// The position of a block, and the vignette: brightness is 1 up to the radius `inner`, and `1 - intensity` from
// `outer`.
typedef struct nuke_vignette {
  float x, y;
  float inner, outer;
  float intensity;
  // `true` for a transition by the squared distance, `false` for a smooth step.
  bool squared;
} nuke_vignette;

// Loops that benefit from wider registers, compiled from the same code for each instruction set.
typedef struct nuke_plane_kernels {
  void (*load)(float *planes, const uint8_t *source, size_t count);
  // Clamps to 0...1, multiplies by alpha and rounds to nearest.
  void (*store)(uint8_t *destination, const float *planes, size_t count);
  // A color matrix. Each row has the weights of red, green, blue and alpha, and an offset.
  void (*matrix)(float *planes, const float matrix[20]);
  // Maps red, green and blue with a table each, with linear interpolation. Values are clamped to 0...1 before.
  void (*curves)(float *planes, const float *tables);
  void (*clamp)(float *planes, const float low[4], const float high[4]);
  // Gray with the minimum or maximum of red, green and blue.
  void (*component)(float *planes, bool largest);
  // Posterizes red, green and blue to `steps` steps, at least one.
  void (*posterize)(float *planes, float levels);
  // 1 if red, green or blue is at least the threshold, otherwise 0.
  void (*threshold)(float *planes, float threshold);
  // A cubic polynomial for each channel: a + bx + cx² + dx³.
  void (*polynomial)(float *planes, const float coefficients[16]);
  // Computes red, green and blue from r, g, b, r², g², b², rg, gb, br and 1.
  void (*cross_polynomial)(float *planes, const float coefficients[30]);
  void (*vibrance)(float *planes, float amount);
  // Applies a vignette to a block that begins at pixel x, y.
  void (*vignette)(float *planes, const nuke_vignette *vignette, float x, float y);
  // Maps colors with a cube of `side` entries along red (fastest), green and blue, of four premultiplied floats each,
  // with linear interpolation. Alpha is multiplied.
  void (*cube)(float *planes, const float *table, size_t side);
} nuke_plane_kernels;

// Maps luminance to colors with a table of `entries` pixels of four floats, with linear interpolation. Alpha is
// multiplied.
void nuke_planes_map(float *planes, const float *table, size_t entries);

// Maps red, green and blue with 256 bytes each, and copies alpha.
void nuke_lookup(uint8_t *destination, const uint8_t *source, size_t count, const uint8_t *tables);

#ifdef __cplusplus
}
#endif
