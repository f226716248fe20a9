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
  // True if a restart marker was not the expected one, and if all of them are the same.
  bool has_resynced, repeats_restarts;
  unsigned calls;
} Decoder;

static void init_source(j_decompress_ptr cinfo) { (void)cinfo; }
static void term_source(j_decompress_ptr cinfo) { (void)cinfo; }

// An EOI marker is supplied after the end of the data, as the library's manual advises. Files without their EOI are
// common, and the entropy decoder reads ahead, so that this is not an error yet. `ended` later distinguishes truncation
// from other damage.
static boolean fill_input_buffer(j_decompress_ptr cinfo) {
  static const JOCTET end[2] = {0xFF, JPEG_EOI};
  Decoder *decoder = (Decoder *)cinfo;
  // The arithmetic decoder treats the end of the data as zeros, without a warning.
  if (!decoder->ended && decoder->decoding->tolerant && cinfo->arith_code) note_end(cinfo);
  decoder->ended = true;
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

// Returns true if the marker that was read and all restart markers after it, of which there are some, are the same.
static bool repeats_restarts(j_decompress_ptr cinfo) {
  const uint8_t *data = cinfo->src->next_input_byte;
  const uint8_t *end = data + cinfo->src->bytes_in_buffer;
  bool repeats = false;
  while ((data = memchr(data, 0xFF, (size_t)(end - data))) && data + 1 < end) {
    data++;
    if (*data < JPEG_RST0 || *data > JPEG_RST0 + 7) continue;
    if (*data != cinfo->unread_marker) return false;
    repeats = true;
  }
  return repeats;
}

// Called at a restart marker that is not the expected one. Some cameras write the same one everywhere; then each counts as
// the expected one. Otherwise libjpeg decides by the numbers.
static boolean resync_to_restart(j_decompress_ptr cinfo, int desired) {
  Decoder *decoder = (Decoder *)cinfo;
  if (!decoder->has_resynced) {
    decoder->has_resynced = true;
    decoder->repeats_restarts = !decoder->ended && repeats_restarts(cinfo);
  }
  if (!decoder->repeats_restarts) return jpeg_resync_to_restart(cinfo, desired);
  cinfo->unread_marker = 0;
  return TRUE;
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
  decoder->source.resync_to_restart = decoding->tolerant ? resync_to_restart : jpeg_resync_to_restart;
  decoder->source.term_source = term_source;
  decoder->source.next_input_byte = decoding->data;
  decoder->source.bytes_in_buffer = decoding->size;
  cinfo->src = &decoder->source;
  decoder->progress.progress_monitor = progress_monitor;
  cinfo->progress = &decoder->progress;

  jpeg_read_header(cinfo, TRUE);
  set_output(cinfo, decoding);
  // Only scans that are missing make a difference. Previews are not smoothed: it takes 15 to 100 % of their time.
  cinfo->do_block_smoothing = decoding->tolerant;
  jpeg_start_decompress(cinfo);
  check_output(cinfo, decoding);
  if (jpeg_has_multiple_scans(cinfo) && !decoding->tolerant) check_scans(decoder);

  read_rows(cinfo, decoding->pixels, decoding->stride, decoding->rows ? decoding : NULL);
  if (decoding->tolerant) return;
  // The arithmetic decoder treats the end of the data as zeros and reports no error.
  if (decoder->ended && cinfo->arith_code) leave((j_common_ptr)cinfo, NUKE_JPEG_TRUNCATED);
}

// Keeps the rows before an error that libjpeg cannot continue after.
static bool keep_rows(Decoder *decoder, nuke_jpeg_outcome *outcome) {
  const j_decompress_ptr cinfo = &decoder->cinfo;
  const nuke_jpeg_decoding *decoding = decoder->decoding;
  if (!decoding->tolerant || outcome->status != NUKE_JPEG_MALFORMED || cinfo->output_scanline == 0) return false;
  for (unsigned y = cinfo->output_scanline; y < cinfo->output_height; y++) {
    uint8_t *row = decoding->pixels + y * decoding->stride;
    memset(row, 128, cinfo->output_width * (size_t)4);
    for (unsigned x = 0; x < cinfo->output_width && !decoding->cmyk; x++) row[x * 4 + 3] = 255;
  }
  decoder->errors.covered_rows = cinfo->output_scanline;
  outcome->status = NUKE_JPEG_OK;
  return true;
}

static void decode_with_library(const nuke_jpeg_decoding *decoding, nuke_jpeg_outcome *outcome) {
  Decoder decoder;
  memset(&decoder, 0, sizeof decoder);
  decoder.decoding = decoding;
  set_up_errors(&decoder.errors, outcome);
  decoder.errors.tolerant = decoding->tolerant;
  decoder.cinfo.err = &decoder.errors.base;
  if (setjmp(decoder.errors.escape) == 0) {
    run_decoder(&decoder);
  } else if (!keep_rows(&decoder, outcome)) {
    outcome->offset = decoder.ended ? decoding->size : decoding->size - decoder.source.bytes_in_buffer;
    // An error after the end of the data is caused by the truncation.
    if (decoder.ended && outcome->status == NUKE_JPEG_MALFORMED) outcome->status = NUKE_JPEG_TRUNCATED;
  }
  const unsigned covered = decoder.errors.covered_rows;
  outcome->covered_rows = covered < decoder.cinfo.output_height ? covered : decoder.cinfo.output_height;
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
#ifdef NUKE_FUZZING
  // Half of the files are decoded by two threads.
  nuke_jpeg_decoding divided = *decoding;
  if (decoding->size % 2 == 1) {
    divided.thread_count = 2;
    divided.waits_for_division = true;
    decoding = &divided;
  }
#endif
  if (decoding->decoder != NUKE_JPEG_DECODER_LIBRARY && !decoding->tolerant && !is_better_left(decoding)) {
    memset(outcome, 0, sizeof *outcome);
    switch (nuke_jpeg_decode_direct(decoding, &outcome->divided_at)) {
    case JPEGDirectDone:
#ifdef NUKE_FUZZING
      if (!decoding->rows) compare_with_library(decoding);
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
