// Shared by one-shot decoding, incremental decoding, and encoding. Errors longjmp to the function that Swift called,
// after the reason has been recorded.
#pragma once
#include "CNukeJPEGShim.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

// The error handlers for libjpeg, and the recorded error.
typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf escape;
  nuke_jpeg_outcome *outcome;
  // Damage that libjpeg can continue after is not an error.
  bool tolerant;
  // The number of rows before the place at which the data ends; ALL_ROWS if it does not, or in a later scan than the first.
  unsigned covered_rows;
} ErrorManager;

#define ALL_ROWS 0xFFFFFFFFu

static _Noreturn void leave(j_common_ptr cinfo, nuke_jpeg_status status) {
  ErrorManager *errors = (ErrorManager *)cinfo->err;
  errors->outcome->status = status;
  longjmp(errors->escape, 1);
}

static _Noreturn void leave_with_message(j_common_ptr cinfo, nuke_jpeg_status status, const char *message) {
  ErrorManager *errors = (ErrorManager *)cinfo->err;
  snprintf(errors->outcome->message, NUKE_JPEG_MESSAGE_SIZE, "%s", message);
  leave(cinfo, status);
}

static _Noreturn void leave_with_library_message(j_common_ptr cinfo) {
  char message[JMSG_LENGTH_MAX];
  cinfo->err->format_message(cinfo, message);
  nuke_jpeg_status status;
  switch (cinfo->err->msg_code) {
  case JERR_OUT_OF_MEMORY:
  case JERR_NO_BACKING_STORE:
    status = NUKE_JPEG_NO_MEMORY;
    break;
  case JERR_ARITH_NOTIMPL:
  case JERR_NOT_COMPILED:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_CCIR601_NOTIMPL:
    status = NUKE_JPEG_UNSUPPORTED;
    break;
  default:
    status = NUKE_JPEG_MALFORMED;
  }
  leave_with_message(cinfo, status, message);
}

static void error_exit(j_common_ptr cinfo) { leave_with_library_message(cinfo); }

// Notes that there is no data from here on, which libjpeg fills with gray. Fails if there was none before either.
static void note_end(j_decompress_ptr cinfo) {
  ErrorManager *errors = (ErrorManager *)cinfo->err;
  if (errors->covered_rows != ALL_ROWS || cinfo->input_scan_number > 1) return;
  // The data ends in the headers.
  if (cinfo->total_iMCU_rows == 0) leave((j_common_ptr)cinfo, NUKE_JPEG_TRUNCATED);
  // Complete rows of blocks. An image may have only one.
  const uint64_t complete = cinfo->total_iMCU_rows == 1 ? 1 : cinfo->input_iMCU_row;
  errors->covered_rows = (unsigned)(cinfo->output_height * complete / cinfo->total_iMCU_rows);
  if (errors->covered_rows == 0) leave((j_common_ptr)cinfo, NUKE_JPEG_TRUNCATED);
}

// Continues after damage; see `emit_message`.
static void tolerate(j_common_ptr cinfo) {
  ErrorManager *errors = (ErrorManager *)cinfo->err;
  if (errors->outcome->message[0] == 0) {
    char message[JMSG_LENGTH_MAX];
    cinfo->err->format_message(cinfo, message);
    snprintf(errors->outcome->message, NUKE_JPEG_MESSAGE_SIZE, "%s", message);
  }
  if (cinfo->err->msg_code != JWRN_HIT_MARKER) return;
  // After a restart marker there may be more.
  j_decompress_ptr decoder = (j_decompress_ptr)cinfo;
  if (decoder->unread_marker < JPEG_RST0 || decoder->unread_marker > JPEG_RST0 + 7) note_end(decoder);
}

// libjpeg treats most damage as a warning and continues with gray blocks. Here, a damaged image is an error, unless the
// caller tolerates damage.
static void emit_message(j_common_ptr cinfo, int level) {
  if (level >= 0) return;
  switch (cinfo->err->msg_code) {
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_ADOBE_XFORM:
  case JWRN_JFIF_MAJOR:
  case JWRN_NOT_SEQUENTIAL:
    return;
  default:
    if (!((ErrorManager *)cinfo->err)->tolerant) leave_with_library_message(cinfo);
    tolerate(cinfo);
  }
}

static void output_message(j_common_ptr cinfo) { (void)cinfo; }

static void set_up_errors(ErrorManager *errors, nuke_jpeg_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  jpeg_std_error(&errors->base);
  errors->base.error_exit = error_exit;
  errors->base.emit_message = emit_message;
  errors->base.output_message = output_message;
  errors->outcome = outcome;
  errors->tolerant = false;
  errors->covered_rows = ALL_ROWS;
}

// MARK: Decoding

// Sets the output format. Call it after the header has been read.
static inline void set_output(j_decompress_ptr cinfo, const nuke_jpeg_decoding *decoding) {
  if (cinfo->image_width != decoding->width || cinfo->image_height != decoding->height ||
      (cinfo->num_components == 4) != decoding->cmyk) {
    leave_with_message((j_common_ptr)cinfo, NUKE_JPEG_MALFORMED, "two frame headers that differ");
  }
  cinfo->scale_num = 8 / decoding->scale_denominator;
  cinfo->scale_denom = 8;
  cinfo->out_color_space = decoding->cmyk ? JCS_CMYK : JCS_EXT_RGBA;
  cinfo->dct_method = JDCT_ISLOW;
  cinfo->do_fancy_upsampling = TRUE;
  cinfo->do_block_smoothing = FALSE;
}

// Fails if the output would exceed the memory allocated for the pixels. Call it after decompression has started.
static inline void check_output(j_decompress_ptr cinfo, const nuke_jpeg_decoding *decoding) {
  unsigned denominator = decoding->scale_denominator;
  if (cinfo->output_width != (decoding->width + denominator - 1) / denominator ||
      cinfo->output_height != (decoding->height + denominator - 1) / denominator || cinfo->output_components != 4) {
    leave_with_message((j_common_ptr)cinfo, NUKE_JPEG_MALFORMED, "the output has another size than the header says");
  }
}

// Reads all rows of one pass. A source that suspends must have given the data of all of them before.
//
// With `decoding`, the rows are reported, and each report's rows are written to the beginning of `pixels`.
static inline void read_rows(
  j_decompress_ptr cinfo, uint8_t *pixels, size_t stride, const nuke_jpeg_decoding *decoding) {
  while (cinfo->output_scanline < cinfo->output_height) {
    JSAMPROW rows[16];
    JDIMENSION left = cinfo->output_height - cinfo->output_scanline;
    JDIMENSION count = left < 16 ? left : 16;
    for (JDIMENSION i = 0; i < count; i++) {
      rows[i] = pixels + (size_t)(decoding ? i : cinfo->output_scanline + i) * stride;
    }
    const JDIMENSION first = cinfo->output_scanline, read = jpeg_read_scanlines(cinfo, rows, count);
    if (read == 0) leave_with_message((j_common_ptr)cinfo, NUKE_JPEG_MALFORMED, "rows that were read are missing");
    if (decoding && !decoding->rows(decoding->context, first, read)) leave((j_common_ptr)cinfo, NUKE_JPEG_STOPPED);
  }
}
