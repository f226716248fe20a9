#ifndef CODEC_LOOPS_H
#define CODEC_LOOPS_H

#include <stddef.h>
#include <stdint.h>

// Minimal C code around the libraries of the system, for comparison: without limits and recovery; a damaged file ends
// the program. Pixels are straight RGBA, in rows without gaps. The caller must free returned memory.

uint8_t *loop_jpeg_decode(const uint8_t *file, size_t count, int scale_denominator, int *width, int *height);
uint8_t *loop_png_decode(const uint8_t *file, size_t count, int *width, int *height);
uint8_t *loop_webp_decode(const uint8_t *file, size_t count, int *width, int *height);
/// Uses dav1d on one thread.
uint8_t *loop_avif_decode(const uint8_t *file, size_t count, int *width, int *height);

/// 4:2:0, baseline, with the standard Huffman tables.
uint8_t *loop_jpeg_encode(const uint8_t *pixels, int width, int height, int quality, size_t *count);
/// Encodes RGB; the fourth byte of each pixel is ignored.
uint8_t *loop_png_encode(const uint8_t *pixels, int width, int height, int level, size_t *count);
uint8_t *loop_webp_encode(const uint8_t *pixels, int width, int height, float quality, size_t *count);

/// Clips a square of premultiplied pixels to a path with rounded corners, with cairo.
uint8_t *loop_round_corners(const uint8_t *pixels, int side, double radius);

/// The versions of the libraries, in one string.
const char *loop_versions(void);

#endif
