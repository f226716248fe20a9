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
  // Entries of a curve from 0 to 1. Each byte's value falls on one of them.
  nuke_curve_entries = 255 * 8 + 1,
};

// The position of a block, and the vignette: brightness is 1 up to the radius `inner`, and `1 - intensity` from
// `outer`.
typedef struct nuke_vignette {
  float x, y;
  float inner, outer;
  float intensity;
  // True for a transition by the square of the distance, false for a smooth step.
  bool squared;
} nuke_vignette;

// The loops that gain by wider registers; the compiler makes them of the same code for each.
typedef struct nuke_plane_kernels {
  void (*load)(float *planes, const uint8_t *source, size_t count);
  // Clamps to 0...1, multiplies with alpha and rounds to nearest.
  void (*store)(uint8_t *destination, const float *planes, size_t count);
  // A color matrix. Each row has the weights of red, green, blue and alpha, and an offset.
  void (*matrix)(float *planes, const float matrix[20]);
  // Red, green and blue by a table each, linear between its entries; what lies outside 0...1 is clamped before.
  void (*curves)(float *planes, const float *tables);
  void (*clamp)(float *planes, const float low[4], const float high[4]);
  // Gray with the minimum or maximum of red, green and blue.
  void (*component)(float *planes, bool largest);
  // Posterizes red, green and blue to `steps` steps, at least one.
  void (*posterize)(float *planes, float levels);
  // 1 where red, green or blue is at least the threshold, else 0.
  void (*threshold)(float *planes, float threshold);
  // A cubic polynomial for each channel: a + bx + cx² + dx³.
  void (*polynomial)(float *planes, const float coefficients[16]);
  // Red, green, blue from r, g, b, r², g², b², rg, gb, br and 1.
  void (*cross_polynomial)(float *planes, const float coefficients[30]);
  void (*vibrance)(float *planes, float amount);
  // Applies a vignette to a block that begins at pixel x, y.
  void (*vignette)(float *planes, const nuke_vignette *vignette, float x, float y);
  // Colors from a cube of `side` entries along red (fastest), green and blue, of four premultiplied floats each, linear
  // between them; alpha is multiplied.
  void (*cube)(float *planes, const float *table, size_t side);
} nuke_plane_kernels;

// Colors by luminance from a table of `entries` pixels of four floats, linear between them; alpha is multiplied.
void nuke_planes_map(float *planes, const float *table, size_t entries);

// Red, green and blue of each pixel by 256 bytes each; alpha is copied.
void nuke_lookup(uint8_t *destination, const uint8_t *source, size_t count, const uint8_t *tables);

#ifdef __cplusplus
}
#endif
