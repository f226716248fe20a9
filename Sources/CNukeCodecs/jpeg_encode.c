#include "CNukeJPEGShim.h"
#include "jpeg_shared.h"

#include <stdlib.h>

struct nuke_jpeg_encoder {
  struct jpeg_compress_struct cinfo;
  ErrorManager errors;
  struct jpeg_destination_mgr destination;
  nuke_jpeg_encoding encoding;
  // The part of the file that is not written yet; the whole file without `write`.
  uint8_t *buffer;
  size_t capacity;
  nuke_jpeg_write write;
  void *context;
  uint8_t *row;
};

static void use(nuke_jpeg_encoder *encoder, size_t used) {
  encoder->destination.next_output_byte = encoder->buffer + used;
  encoder->destination.free_in_buffer = encoder->capacity - used;
}

static void grow(nuke_jpeg_encoder *encoder) {
  const size_t used = encoder->capacity, capacity = used ? used * 2 : 64 << 10;
  uint8_t *buffer = realloc(encoder->buffer, capacity);
  if (!buffer) leave_with_message((j_common_ptr)&encoder->cinfo, NUKE_JPEG_NO_MEMORY, "no memory for the file");
  encoder->buffer = buffer;
  encoder->capacity = capacity;
  use(encoder, used);
}

static void write_out(nuke_jpeg_encoder *encoder, size_t count) {
  if (!encoder->write(encoder->context, encoder->buffer, count)) {
    leave((j_common_ptr)&encoder->cinfo, NUKE_JPEG_STOPPED);
  }
  use(encoder, 0);
}

static void init_destination(j_compress_ptr cinfo) { grow((nuke_jpeg_encoder *)cinfo); }

static boolean empty_output_buffer(j_compress_ptr cinfo) {
  // The library calls this when the whole buffer is used, regardless of `free_in_buffer`.
  nuke_jpeg_encoder *encoder = (nuke_jpeg_encoder *)cinfo;
  if (encoder->write) {
    write_out(encoder, encoder->capacity);
  } else {
    grow(encoder);
  }
  return TRUE;
}

static void term_destination(j_compress_ptr cinfo) {
  nuke_jpeg_encoder *encoder = (nuke_jpeg_encoder *)cinfo;
  if (encoder->write) write_out(encoder, encoder->capacity - encoder->destination.free_in_buffer);
}

static const uint8_t *composed(const nuke_jpeg_encoding *encoding, const uint8_t *source, uint8_t *target) {
  for (size_t x = 0; x < encoding->width; x++) {
    unsigned rest = 255u - source[x * 4 + 3];
    for (size_t channel = 0; channel < 3; channel++) {
      unsigned value = source[x * 4 + channel] + (encoding->background[channel] * rest + 127) / 255;
      target[x * 4 + channel] = value < 255 ? (uint8_t)value : 255;
    }
    target[x * 4 + 3] = 255;
  }
  return target;
}

static void start(nuke_jpeg_encoder *encoder) {
  const nuke_jpeg_encoding *encoding = &encoder->encoding;
  j_compress_ptr cinfo = &encoder->cinfo;
  jpeg_create_compress(cinfo);
  encoder->destination.init_destination = init_destination;
  encoder->destination.empty_output_buffer = empty_output_buffer;
  encoder->destination.term_destination = term_destination;
  cinfo->dest = &encoder->destination;

  cinfo->image_width = encoding->width;
  cinfo->image_height = encoding->height;
  cinfo->input_components = 4;
  cinfo->in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(cinfo);
  jpeg_set_quality(cinfo, encoding->quality, TRUE);
  cinfo->comp_info[0].h_samp_factor = cinfo->comp_info[0].v_samp_factor = encoding->subsampled ? 2 : 1;
  cinfo->optimize_coding = encoding->optimize;
  if (encoding->progressive) jpeg_simple_progression(cinfo);
  if (!encoding->opaque) {
    encoder->row = malloc((size_t)encoding->width * 4);
    if (!encoder->row) leave_with_message((j_common_ptr)cinfo, NUKE_JPEG_NO_MEMORY, "no memory for a row");
  }
  jpeg_start_compress(cinfo, TRUE);
}

static void write_rows(nuke_jpeg_encoder *encoder, const uint8_t *pixels, size_t stride, unsigned count) {
  j_compress_ptr cinfo = &encoder->cinfo;
  for (; count > 0; count--, pixels += stride) {
    JSAMPROW row = (JSAMPROW)(encoder->encoding.opaque ? pixels : composed(&encoder->encoding, pixels, encoder->row));
    jpeg_write_scanlines(cinfo, &row, 1);
  }
  if (cinfo->next_scanline == cinfo->image_height) jpeg_finish_compress(cinfo);
}

nuke_jpeg_encoder *nuke_jpeg_encoder_create(
  const nuke_jpeg_encoding *encoding, nuke_jpeg_write write, void *context, nuke_jpeg_outcome *outcome) {
  nuke_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) {
    memset(outcome, 0, sizeof *outcome);
    outcome->status = NUKE_JPEG_NO_MEMORY;
    return NULL;
  }
  encoder->encoding = *encoding;
  encoder->write = write;
  encoder->context = context;
  set_up_errors(&encoder->errors, outcome);
  encoder->cinfo.err = &encoder->errors.base;
  // Nothing is changed between setjmp and longjmp except memory that the library's callbacks reach by address.
  if (setjmp(encoder->errors.escape) == 0) {
    start(encoder);
    return encoder;
  }
  nuke_jpeg_encoder_free(encoder);
  return NULL;
}

void nuke_jpeg_encoder_write(
  nuke_jpeg_encoder *encoder, const uint8_t *pixels, size_t stride, unsigned count, nuke_jpeg_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  encoder->errors.outcome = outcome;
  if (setjmp(encoder->errors.escape) == 0) write_rows(encoder, pixels, stride, count);
}

void nuke_jpeg_encoder_free(nuke_jpeg_encoder *encoder) {
  if (!encoder) return;
  jpeg_destroy_compress(&encoder->cinfo);
  free(encoder->row);
  free(encoder->buffer);
  free(encoder);
}

uint8_t *nuke_jpeg_encode(
  const nuke_jpeg_encoding *encoding, const uint8_t *pixels, size_t stride, size_t *size, nuke_jpeg_outcome *outcome) {
  nuke_jpeg_encoder *encoder = nuke_jpeg_encoder_create(encoding, NULL, NULL, outcome);
  if (!encoder) return NULL;
  nuke_jpeg_encoder_write(encoder, pixels, stride, encoding->height, outcome);
  uint8_t *file = NULL;
  if (outcome->status == NUKE_JPEG_OK) {
    *size = encoder->capacity - encoder->destination.free_in_buffer;
    // A small file is kept in caches, and would keep the whole buffer there.
    file = realloc(encoder->buffer, *size);
    if (!file) file = encoder->buffer;
    encoder->buffer = NULL;
  }
  nuke_jpeg_encoder_free(encoder);
  return file;
}
