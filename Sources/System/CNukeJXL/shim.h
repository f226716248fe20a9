#pragma once
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_JXL_FUNCTIONS)
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/parallel_runner.h>
#include <jxl/version.h>

#define NUKE_JXL_TEXT(value) #value
#define NUKE_JXL_FILE(major, minor) "libjxl.so." NUKE_JXL_TEXT(major) "." NUKE_JXL_TEXT(minor)

/* Each minor version has an interface of its own. */
static inline const char *nuke_jxl_files(void) { return NUKE_JXL_FILE(JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION); }

// Version 0.9 removed an unused parameter of these three functions.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define NUKE_JXL_UNUSED NULL,
#else
#define NUKE_JXL_UNUSED
#endif

static inline JxlDecoderStatus nuke_jxl_color_encoding(
  const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *encoding) {
  return JxlDecoderGetColorAsEncodedProfile(decoder, NUKE_JXL_UNUSED target, encoding);
}

static inline JxlDecoderStatus nuke_jxl_icc_size(
  const JxlDecoder *decoder, JxlColorProfileTarget target, size_t *size) {
  return JxlDecoderGetICCProfileSize(decoder, NUKE_JXL_UNUSED target, size);
}

static inline JxlDecoderStatus nuke_jxl_icc(
  const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile, size_t size) {
  return JxlDecoderGetColorAsICCProfile(decoder, NUKE_JXL_UNUSED target, profile, size);
}
