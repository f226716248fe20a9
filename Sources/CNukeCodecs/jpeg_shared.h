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
} ErrorManager;

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

// libjpeg treats most damage as a warning and continues with gray blocks. Here, a damaged image is an error.
static void emit_message(j_common_ptr cinfo, int level) {
  if (level >= 0) return;
  switch (cinfo->err->msg_code) {
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_ADOBE_XFORM:
  case JWRN_JFIF_MAJOR:
  case JWRN_NOT_SEQUENTIAL:
    return;
  default:
    leave_with_library_message(cinfo);
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
