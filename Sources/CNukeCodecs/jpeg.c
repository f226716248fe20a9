#include "CNukeJPEGShim.h"
#include "jpeg_direct.h"
#include "jpeg_shared.h"

#include <stdlib.h>

// MARK: Decoding

typedef struct {
  struct jpeg_decompress_struct cinfo;
  ErrorManager errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  const nuke_jpeg_decoding *decoding;
  // True if the library read past the end of the data.
  bool ended;
  unsigned calls;
} Decoder;

static void init_source(j_decompress_ptr cinfo) { (void)cinfo; }
static void term_source(j_decompress_ptr cinfo) { (void)cinfo; }

// An EOI marker is supplied after the end of the data, as the library's manual advises. Files without their EOI are
// common, and the entropy decoder reads ahead, so that this is not an error yet. `ended` later distinguishes truncation
// from other damage.
static boolean fill_input_buffer(j_decompress_ptr cinfo) {
  static const JOCTET end[2] = {0xFF, JPEG_EOI};
  ((Decoder *)cinfo)->ended = true;
  cinfo->src->next_input_byte = end;
  cinfo->src->bytes_in_buffer = sizeof end;
  return TRUE;
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
  if (count <= 0) return;
  if ((size_t)count > cinfo->src->bytes_in_buffer) {
    fill_input_buffer(cinfo);
  } else {
    cinfo->src->next_input_byte += count;
    cinfo->src->bytes_in_buffer -= (size_t)count;
  }
}

// Called once a row of blocks while a progressive image is read, and once a call of jpeg_read_scanlines.
static void progress_monitor(j_common_ptr cinfo) {
  Decoder *decoder = (Decoder *)cinfo;
  if ((unsigned)decoder->cinfo.input_scan_number > decoder->decoding->scan_limit) {
    leave_with_message(cinfo, NUKE_JPEG_MALFORMED, "more scans than an image of this size can need");
  }
  if (decoder->decoding->is_cancelled && decoder->calls++ % 32 == 0) {
    if (decoder->decoding->is_cancelled(decoder->decoding->context)) leave(cinfo, NUKE_JPEG_STOPPED);
  }
}

// Checks for damage that the library does not report after all scans are read.
static void check_scans(Decoder *decoder) {
  j_decompress_ptr cinfo = &decoder->cinfo;
  for (int i = 0; i < cinfo->num_components; i++) {
    if (!cinfo->comp_info[i].quant_table) {
      leave_with_message((j_common_ptr)cinfo, NUKE_JPEG_MALFORMED, "a component has no scan");
    }
  }
  // A progressive image that is truncated between two scans lacks detail, unless every bit of each coefficient is
  // there.
  if (decoder->ended && cinfo->progressive_mode) {
    for (int i = 0; i < cinfo->num_components; i++) {
      for (int k = 0; k < DCTSIZE2; k++) {
        if (cinfo->coef_bits[i][k] != 0) leave((j_common_ptr)cinfo, NUKE_JPEG_TRUNCATED);
      }
    }
  }
}

static void run_decoder(Decoder *decoder) {
  const nuke_jpeg_decoding *decoding = decoder->decoding;
  j_decompress_ptr cinfo = &decoder->cinfo;
  jpeg_create_decompress(cinfo);
  cinfo->mem->max_memory_to_use = (long)decoding->memory_limit;

  decoder->source.init_source = init_source;
  decoder->source.fill_input_buffer = fill_input_buffer;
  decoder->source.skip_input_data = skip_input_data;
  decoder->source.resync_to_restart = jpeg_resync_to_restart;
  decoder->source.term_source = term_source;
  decoder->source.next_input_byte = decoding->data;
  decoder->source.bytes_in_buffer = decoding->size;
  cinfo->src = &decoder->source;
  decoder->progress.progress_monitor = progress_monitor;
  cinfo->progress = &decoder->progress;

  jpeg_read_header(cinfo, TRUE);
  set_output(cinfo, decoding);
  jpeg_start_decompress(cinfo);
  check_output(cinfo, decoding);
  if (jpeg_has_multiple_scans(cinfo)) check_scans(decoder);

  read_rows(cinfo, decoding->pixels, decoding->stride);
  // The arithmetic decoder treats the end of the data as zeros and reports no error.
  if (decoder->ended && cinfo->arith_code) leave((j_common_ptr)cinfo, NUKE_JPEG_TRUNCATED);
}

static void decode_with_library(const nuke_jpeg_decoding *decoding, nuke_jpeg_outcome *outcome) {
  Decoder decoder;
  memset(&decoder, 0, sizeof decoder);
  decoder.decoding = decoding;
  set_up_errors(&decoder.errors, outcome);
  decoder.cinfo.err = &decoder.errors.base;
  if (setjmp(decoder.errors.escape) == 0) {
    run_decoder(&decoder);
  } else {
    outcome->offset = decoder.ended ? decoding->size : decoding->size - decoder.source.bytes_in_buffer;
    // An error after the end of the data is caused by the truncation.
    if (decoder.ended && outcome->status == NUKE_JPEG_MALFORMED) outcome->status = NUKE_JPEG_TRUNCATED;
  }
  jpeg_destroy_decompress(&decoder.cinfo);
}

#ifdef NUKE_FUZZING
// For fuzzing: aborts if our decoder's pixels differ from the library's.
static void compare_with_library(const nuke_jpeg_decoding *decoding) {
  const unsigned denominator = decoding->scale_denominator;
  const size_t row = (decoding->width + denominator - 1) / denominator * (size_t)4;
  const unsigned height = (decoding->height + denominator - 1) / denominator;
  nuke_jpeg_decoding other = *decoding;
  other.is_cancelled = NULL;
  other.stride = row;
  other.pixels = malloc(row * height);
  if (!other.pixels) return;
  nuke_jpeg_outcome outcome;
  decode_with_library(&other, &outcome);
  // Our decoder skips scans that a reduced size does not need, so that damage in them goes unnoticed.
  JPEGHeaders headers = {.data = decoding->data, .size = decoding->size};
  JPEGScan scan;
  nuke_jpeg_next_scan(&headers, &scan);
  const bool passes_over = headers.progressive && denominator == 8;
  bool equal = outcome.status == NUKE_JPEG_OK || passes_over;
  for (size_t y = 0; y < height && equal && outcome.status == NUKE_JPEG_OK; y++) {
    equal = memcmp(decoding->pixels + y * decoding->stride, other.pixels + y * row, row) == 0;
  }
  free(other.pixels);
  if (equal) return;
  fprintf(stderr, "at 1/%u our pixels are not those of libjpeg, which says: %s\n", denominator, outcome.message);
  abort();
}
#endif

// In a debug build our transforms take twenty times as long; the library's are not part of the build.
static bool is_better_left(const nuke_jpeg_decoding *decoding) {
#ifdef __OPTIMIZE__
  (void)decoding;
  return false;
#else
  return decoding->decoder == NUKE_JPEG_DECODER_ANY && decoding->scale_denominator < 8;
#endif
}

void nuke_jpeg_decode(const nuke_jpeg_decoding *decoding, nuke_jpeg_outcome *outcome) {
  if (decoding->decoder != NUKE_JPEG_DECODER_LIBRARY && !is_better_left(decoding)) {
    memset(outcome, 0, sizeof *outcome);
    switch (nuke_jpeg_decode_direct(decoding)) {
    case JPEGDirectDone:
#ifdef NUKE_FUZZING
      compare_with_library(decoding);
#endif
      return;
    case JPEGDirectCancelled:
      outcome->status = NUKE_JPEG_STOPPED;
      return;
    case JPEGDirectDeclined:
      if (decoding->decoder == NUKE_JPEG_DECODER_OWN) {
        outcome->status = NUKE_JPEG_DECLINED;
        return;
      }
    }
  }
  decode_with_library(decoding, outcome);
}

// MARK: Encoding

typedef struct {
  struct jpeg_compress_struct cinfo;
  ErrorManager errors;
  struct jpeg_destination_mgr destination;
  uint8_t *buffer;
  size_t capacity;
  uint8_t *row;
} Encoder;

static void grow(Encoder *encoder, size_t used) {
  size_t capacity = encoder->capacity ? encoder->capacity * 2 : 64 << 10;
  uint8_t *buffer = realloc(encoder->buffer, capacity);
  if (!buffer) leave_with_message((j_common_ptr)&encoder->cinfo, NUKE_JPEG_NO_MEMORY, "no memory for the file");
  encoder->buffer = buffer;
  encoder->capacity = capacity;
  encoder->destination.next_output_byte = buffer + used;
  encoder->destination.free_in_buffer = capacity - used;
}

static void init_destination(j_compress_ptr cinfo) { grow((Encoder *)cinfo, 0); }

static boolean empty_output_buffer(j_compress_ptr cinfo) {
  // The library calls this when the whole buffer is used, regardless of `free_in_buffer`.
  Encoder *encoder = (Encoder *)cinfo;
  grow(encoder, encoder->capacity);
  return TRUE;
}

static void term_destination(j_compress_ptr cinfo) { (void)cinfo; }

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

static void run_encoder(Encoder *encoder, const nuke_jpeg_encoding *encoding) {
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
  while (cinfo->next_scanline < cinfo->image_height) {
    const uint8_t *source = encoding->pixels + (size_t)cinfo->next_scanline * encoding->stride;
    JSAMPROW row = (JSAMPROW)(encoding->opaque ? source : composed(encoding, source, encoder->row));
    jpeg_write_scanlines(cinfo, &row, 1);
  }
  jpeg_finish_compress(cinfo);
}

uint8_t *nuke_jpeg_encode(const nuke_jpeg_encoding *encoding, size_t *size, nuke_jpeg_outcome *outcome) {
  // Changed between setjmp and longjmp only in memory that the library's callbacks reach by address.
  Encoder encoder;
  memset(&encoder, 0, sizeof encoder);
  set_up_errors(&encoder.errors, outcome);
  encoder.cinfo.err = &encoder.errors.base;
  if (setjmp(encoder.errors.escape) == 0) run_encoder(&encoder, encoding);
  jpeg_destroy_compress(&encoder.cinfo);
  free(encoder.row);
  if (outcome->status != NUKE_JPEG_OK) {
    free(encoder.buffer);
    return NULL;
  }
  *size = encoder.capacity - encoder.destination.free_in_buffer;
  return encoder.buffer;
}
