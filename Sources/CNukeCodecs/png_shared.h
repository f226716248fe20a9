// Shared by decoding, incremental decoding and encoding. Errors longjmp to the function that Swift called, after the
// reason was stored.
#pragma once
#include "CNukePNGShim.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// The reason of an error. It is the first member of decoders and encoders, so that the callbacks can be shared.
struct outcome {
  nuke_png_result result;
};

static void fail(png_structp png, png_const_charp message) {
  struct outcome *outcome = png_get_error_ptr(png);
  // A callback may have set a more specific status.
  if (outcome->result.status == NUKE_PNG_OK) outcome->result.status = NUKE_PNG_MALFORMED;
  strncpy(outcome->result.message, message, sizeof outcome->result.message - 1);
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static png_voidp allocate(png_structp png, png_alloc_size_t size) {
  void *memory = malloc(size);
  if (memory == NULL) {
    struct outcome *outcome = png_get_mem_ptr(png);
    outcome->result.status = NUKE_PNG_NO_MEMORY;
  }
  return memory;
}

static void release(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

// MARK: - Decoding

// Configures which chunks are read and how strictly, before reading.
static inline void set_up_reading(png_structp png, uint32_t width, uint32_t height) {
  // Only chunks that change pixels are parsed, because the caller reads the other relevant ones itself. Hostile data in
  // the rest is therefore neither inflated nor stored, and large chunks are not a reason to reject the image.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_chunk_malloc_max(png, 0);
  png_set_chunk_cache_max(png, 1);
  png_set_user_limits(png, width, height);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  // Some streams declare a smaller window than they use, and browsers accept them.
  png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
}

// Requests straight RGBA of 8 bits a channel, or 16 in native byte order, after the header has been read. Returns the
// number of passes. Fewer bits are scaled to 16 by multiplication, without a loss.
static inline int set_output(png_structp png, int bits) {
  png_set_expand(png);
  if (bits == 16) {
    png_set_expand_16(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(png);
#endif
  } else {
    png_set_scale_16(png);
  }
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, bits == 16 ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
  return png_set_interlace_handling(png);
}

// Rejects an image that does not fit into the memory for the pixels. Called after the output was set.
static inline void check_output(png_structp png, png_infop info, uint32_t width, uint32_t height, int bits) {
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height ||
      png_get_rowbytes(png, info) != (size_t)width * (size_t)bits / 2) {
    png_error(png, "the size differs from the header's");
  }
}
