// Shared by the parts of our own PNG decoder: png_direct_header.c reads chunks, png_direct.c inflates rows, and
// png_direct_rows.c converts them to pixels.
#pragma once
#include "CNukePNGShim.h"

#include <CNukeKernels.h>
#include <string.h>

struct nuke_png_input {
  const uint8_t *data;
  size_t count, position;
};

struct nuke_png_chunk {
  const uint8_t *type, *bytes;
  size_t count;
};

// Reads the chunk at the position if it is complete and its checksum is correct, and advances the position.
bool nuke_png_next_chunk(struct nuke_png_input *input, struct nuke_png_chunk *chunk);

static inline bool nuke_png_is(const struct nuke_png_chunk *chunk, const char *type) {
  return memcmp(chunk->type, type, 4) == 0;
}

// The conversion from stored rows to pixels.
struct nuke_png_form {
  // The number of bits of a pixel.
  int bits;
  // The number of samples of a pixel; 0 if a pixel is an index into `colors`: of a palette, or of gray with fewer bits.
  int channels;
  // True if samples have 16 bits, and not 8.
  bool is_deep;
  // The transparent color as it is stored, if `is_deep`.
  uint8_t deep_key[6];
  bool has_deep_key;
  // The transparent color as the kernels produce it, and its replacement. They are equal if there is none.
  uint8_t key[4], cleared[4];
  uint8_t colors[256][4];
  // The pixels that each byte contains, if it contains several.
  uint8_t pixels[256 * 8 * 4];
};

// Reads the chunks up to the image data. Returns false if the file is left to libpng.
bool nuke_png_read_form(struct nuke_png_input *input, uint32_t width, uint32_t height, struct nuke_png_form *form,
                        bool *is_interlaced);

// A part of an image whose rows are stored consecutively: the whole image, or a pass (PNG specification, 8.2).
struct nuke_png_pass {
  uint32_t width, height;
  // The first pixel, and the distance to the next.
  uint8_t x, y, dx, dy;
};

struct nuke_png_target {
  uint32_t width, height;
  uint8_t *pixels;
  // True if the rows of each call are written to the beginning of `pixels`. Such an image has one pass.
  bool is_band;
  const nuke_unfilter_kernels *kernels;
  // The row above the next rows, before its colors were changed: pixels, or two stored rows, of indices or of 16 bits a
  // sample, of which `line` is the newer one.
  uint8_t *above;
  size_t above_bytes;
  int line;
  // A buffer for rows of a pass before they are written to their places; NULL if there is only one pass.
  uint8_t *scratch;
};

// Computes the passes of an image, at most 7, without empty ones. Returns their number.
int nuke_png_passes(struct nuke_png_pass passes[7], uint32_t width, uint32_t height, bool is_interlaced);

// Returns the number of bytes of a row of `width` pixels, including the filter byte.
static inline size_t nuke_png_stride(const struct nuke_png_form *form, uint32_t width) {
  return ((size_t)width * (size_t)form->bits + 7) / 8 + 1;
}

// Returns the distance of two stored rows in memory, where `width` pixels are unfiltered before they are converted.
static inline size_t nuke_png_line(const struct nuke_png_form *form, uint32_t width) {
  return nuke_png_stride(form, width) + nuke_unfilter_padding;
}

// Computes `form->pixels`. Called when `form->colors` are final.
void nuke_png_prepare_lookup(struct nuke_png_form *form);

// Clears the row above at the beginning of a pass.
void nuke_png_begin_pass(struct nuke_png_target *target);

// Converts `count` stored rows of a pass to pixels, starting with row `y`. Returns false if a filter is unknown.
bool nuke_png_make_pixels(struct nuke_png_target *target, const struct nuke_png_form *form,
                          const struct nuke_png_pass *pass, const uint8_t *rows, uint32_t y, uint32_t count);
