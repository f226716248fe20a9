#include "CNukeJPEGShim.h"
#include "jpeg_shared.h"

#include <stdlib.h>

// libjpeg with a source that suspends at the end of the data; between two calls nothing points into the data.
//
// For files of several scans it runs in buffered-image mode (libjpeg.txt, "Buffered-image mode"): coefficients are
// gathered as data arrives, and an image of them can be made at any time. For files of one scan it decodes rows as data
// arrives, so that no coefficients are kept.
struct nuke_jpeg_previews {
  struct jpeg_decompress_struct cinfo;
  ErrorManager errors;
  struct jpeg_source_mgr source;
  nuke_jpeg_decoding settings;
  // The offset of the next byte to read. It is past the end while a segment is skipped that has not arrived completely.
  size_t position;
  // The number of bytes of a skipped segment that have not arrived yet.
  size_t skipped;
  bool has_header;
  bool started;
  // True if an output pass waits for the marker after the scan that it rendered.
  bool showing;
  unsigned complete_scans;
};

static void init_source(j_decompress_ptr cinfo) { (void)cinfo; }
static void term_source(j_decompress_ptr cinfo) { (void)cinfo; }

static boolean suspend(j_decompress_ptr cinfo) {
  (void)cinfo;
  return FALSE;
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
  if (count <= 0) return;
  size_t available = cinfo->src->bytes_in_buffer;
  size_t skipped = (size_t)count < available ? (size_t)count : available;
  cinfo->src->next_input_byte += skipped;
  cinfo->src->bytes_in_buffer -= skipped;
  ((nuke_jpeg_previews *)cinfo)->skipped += (size_t)count - skipped;
}

static void create(nuke_jpeg_previews *previews) {
  j_decompress_ptr cinfo = &previews->cinfo;
  jpeg_create_decompress(cinfo);
  cinfo->mem->max_memory_to_use = (long)previews->settings.memory_limit;
  previews->source.init_source = init_source;
  previews->source.fill_input_buffer = suspend;
  previews->source.skip_input_data = skip_input_data;
  previews->source.resync_to_restart = jpeg_resync_to_restart;
  previews->source.term_source = term_source;
  cinfo->src = &previews->source;
}

nuke_jpeg_previews *nuke_jpeg_previews_create(const nuke_jpeg_decoding *settings) {
  nuke_jpeg_previews *previews = calloc(1, sizeof *previews);
  if (!previews) return NULL;
  previews->settings = *settings;
  nuke_jpeg_outcome outcome;
  set_up_errors(&previews->errors, &outcome);
  previews->errors.tolerant = settings->tolerant;
  previews->cinfo.err = &previews->errors.base;
  if (setjmp(previews->errors.escape) == 0) {
    create(previews);
    return previews;
  }
  nuke_jpeg_previews_free(previews);
  return NULL;
}

void nuke_jpeg_previews_free(nuke_jpeg_previews *previews) {
  jpeg_destroy_decompress(&previews->cinfo);
  free(previews);
}

// Returns false while more data is needed.
static bool start(nuke_jpeg_previews *previews) {
  j_decompress_ptr cinfo = &previews->cinfo;
  if (previews->started) return true;
  if (!previews->has_header) {
    if (jpeg_read_header(cinfo, TRUE) == JPEG_SUSPENDED) return false;
    set_output(cinfo, &previews->settings);
    cinfo->buffered_image = previews->settings.pixels == NULL;
    // The caller has checked that the first scan contains all components. If more scans follow after all, the library
    // would buffer the whole file before the first row.
    if (!cinfo->buffered_image && jpeg_has_multiple_scans(cinfo)) {
      leave_with_message((j_common_ptr)cinfo, NUKE_JPEG_MALFORMED, "several scans where the header announces one");
    }
    previews->has_header = true;
  }
  if (!jpeg_start_decompress(cinfo)) return false;
  check_output(cinfo, &previews->settings);
  previews->started = true;
  return true;
}

static void read_available_rows(nuke_jpeg_previews *previews) {
  j_decompress_ptr cinfo = &previews->cinfo;
  while (cinfo->output_scanline < cinfo->output_height) {
    JSAMPROW row = previews->settings.pixels + (size_t)cinfo->output_scanline * previews->settings.stride;
    if (jpeg_read_scanlines(cinfo, &row, 1) == 0) return;
  }
}

static void read_on(nuke_jpeg_previews *previews) {
  j_decompress_ptr cinfo = &previews->cinfo;
  if (!start(previews)) return;
  if (previews->settings.pixels) return read_available_rows(previews);
  while (true) {
    int event = jpeg_consume_input(cinfo);
    if (event == JPEG_SUSPENDED || event == JPEG_REACHED_EOI) return;
    if (event == JPEG_SCAN_COMPLETED) previews->complete_scans = (unsigned)cinfo->input_scan_number;
    if ((unsigned)cinfo->input_scan_number > previews->settings.scan_limit) {
      leave_with_message((j_common_ptr)cinfo, NUKE_JPEG_MALFORMED, "more scans than an image of this size can need");
    }
  }
}

static unsigned progress(const nuke_jpeg_previews *previews) {
  if (!previews->settings.pixels) return previews->complete_scans;
  return previews->started ? previews->cinfo.output_scanline : 0;
}

unsigned nuke_jpeg_previews_read(nuke_jpeg_previews *previews, const uint8_t *data, size_t size,
                                 nuke_jpeg_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  if (size <= previews->position) return progress(previews);
  previews->errors.outcome = outcome;
  previews->source.next_input_byte = data + previews->position;
  previews->source.bytes_in_buffer = size - previews->position;
  if (setjmp(previews->errors.escape) == 0) read_on(previews);
  previews->position = size - previews->source.bytes_in_buffer + previews->skipped;
  previews->skipped = 0;
  previews->source.next_input_byte = NULL;
  previews->source.bytes_in_buffer = 0;
  outcome->offset = previews->position;
  return progress(previews);
}

static void render(nuke_jpeg_previews *previews, uint8_t *pixels, size_t stride) {
  j_decompress_ptr cinfo = &previews->cinfo;
  // Ends the previous output pass: the marker that it waited for precedes the scan to render now.
  if (previews->showing) jpeg_finish_output(cinfo);
  jpeg_start_output(cinfo, (int)previews->complete_scans);
  read_rows(cinfo, pixels, stride, NULL);
  previews->showing = !jpeg_finish_output(cinfo);
}

void nuke_jpeg_previews_render(nuke_jpeg_previews *previews, uint8_t *pixels, size_t stride, nuke_jpeg_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  previews->errors.outcome = outcome;
  if (setjmp(previews->errors.escape) == 0) render(previews, pixels, stride);
  outcome->offset = previews->position;
}
