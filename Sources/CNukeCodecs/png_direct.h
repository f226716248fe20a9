// What the direct PNG decoder's parts have in common: png_direct_header.c reads chunks, png_direct.c inflates rows, and
// png_direct_rows.c makes pixels of them.
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

// The chunk at the position, whole and with the right checksum; the position moves behind it.
bool nuke_png_next_chunk(struct nuke_png_input *input, struct nuke_png_chunk *chunk);

static inline bool nuke_png_is(const struct nuke_png_chunk *chunk, const char *type) {
  return memcmp(chunk->type, type, 4) == 0;
}

// How stored rows become pixels.
struct nuke_png_form {
  // Bits of a pixel.
  int bits;
  // Samples of 8 bits that a pixel has; 0 where a pixel is an index into `colors`: one of a palette, or a gray of fewer
  // bits.
  int channels;
  // The pixel that is to be transparent, as it comes from the kernels and as it is to be. Equal where there is none.
  uint8_t key[4], cleared[4];
  uint8_t colors[256][4];
  // The pixels that each byte stands for, where it holds several.
  uint8_t pixels[256 * 8 * 4];
};

// Reads up to the image data. False where something is unusual.
bool nuke_png_read_form(struct nuke_png_input *input, uint32_t width, uint32_t height, struct nuke_png_form *form,
                        bool *is_interlaced);

// The part of an image whose rows are stored one after the other: all of it, or a pass (PNG specification, 8.2).
struct nuke_png_pass {
  uint32_t width, height;
  // The first pixel, and the steps from one to the next.
  uint8_t x, y, dx, dy;
};

struct nuke_png_target {
  uint32_t width, height;
  uint8_t *pixels;
  const nuke_unfilter_kernels *kernels;
  // The row above those that come next, before anything was done to its colors: pixels, or two rows of indices of which
  // `line` is the newer one.
  uint8_t *above;
  int line;
  // Rows of a pass that are yet to be put in their places; NULL where there is one pass.
  uint8_t *scratch;
};

// Computes the passes of an image, of which there are at most 7, without those that are empty; their number.
int nuke_png_passes(struct nuke_png_pass passes[7], uint32_t width, uint32_t height, bool is_interlaced);

// The bytes of a row of `width` pixels, with that of its filter.
static inline size_t nuke_png_stride(const struct nuke_png_form *form, uint32_t width) {
  return ((size_t)width * (size_t)form->bits + 7) / 8 + 1;
}

// The rows of a pass that are worked on together: a multiple of 8, so that their pixels are still in the cache.
uint32_t nuke_png_batch(uint32_t width);

// Prepares `form->pixels`, once `form->colors` are final.
void nuke_png_prepare_lookup(struct nuke_png_form *form);

// Forgets the row above, which a pass begins without.
void nuke_png_begin_pass(struct nuke_png_target *target);

// Makes pixels of `count` stored rows of a pass, of which the first is `y`. False where a filter is unknown.
bool nuke_png_make_pixels(struct nuke_png_target *target, const struct nuke_png_form *form,
                          const struct nuke_png_pass *pass, const uint8_t *rows, uint32_t y, uint32_t count);
