#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

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
