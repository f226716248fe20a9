#ifndef CODEC_LOOPS_H
#define CODEC_LOOPS_H

#include <stddef.h>
#include <stdint.h>

// The least a C program does with the libraries of the system, for comparison: no limits, no recovery; a damaged file
// ends the program. Pixels are RGBA, straight, rows without gaps. What is returned belongs to the caller, who frees it.

uint8_t *loop_jpeg_decode(const uint8_t *file, size_t count, int scale_denominator, int *width, int *height);
uint8_t *loop_png_decode(const uint8_t *file, size_t count, int *width, int *height);
uint8_t *loop_webp_decode(const uint8_t *file, size_t count, int *width, int *height);
/// With dav1d, on one thread.
uint8_t *loop_avif_decode(const uint8_t *file, size_t count, int *width, int *height);

/// 4:2:0, baseline, with the standard Huffman tables.
uint8_t *loop_jpeg_encode(const uint8_t *pixels, int width, int height, int quality, size_t *count);
/// RGB; the fourth byte of a pixel is left out.
uint8_t *loop_png_encode(const uint8_t *pixels, int width, int height, int level, size_t *count);
uint8_t *loop_webp_encode(const uint8_t *pixels, int width, int height, float quality, size_t *count);

/// A square of premultiplied pixels, drawn by cairo through a path with round corners.
uint8_t *loop_round_corners(const uint8_t *pixels, int side, double radius);

/// The versions of the libraries, one after the other.
const char *loop_versions(void);

#endif
