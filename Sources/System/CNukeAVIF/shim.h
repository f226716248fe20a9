#pragma once
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_AVIF_FUNCTIONS)
#include <avif/avif.h>
#include <stdint.h>

/* Copies metadata to an image. Returns 0 if memory cannot be allocated, which versions before 1.0 do not report. */
static inline int nuke_avif_set_exif(avifImage *image, const uint8_t *bytes, size_t count) {
#if AVIF_VERSION >= 1000000
  return avifImageSetMetadataExif(image, bytes, count) == AVIF_RESULT_OK;
#else
  avifImageSetMetadataExif(image, bytes, count);
  return 1;
#endif
}

static inline int nuke_avif_set_xmp(avifImage *image, const uint8_t *bytes, size_t count) {
#if AVIF_VERSION >= 1000000
  return avifImageSetMetadataXMP(image, bytes, count) == AVIF_RESULT_OK;
#else
  avifImageSetMetadataXMP(image, bytes, count);
  return 1;
#endif
}

/* Sets how often a sequence is played; 0 for forever, which is what versions before 1.0 always write. */
static inline void nuke_avif_set_loops(avifEncoder *encoder, int count) {
#if AVIF_VERSION >= 1000000
  encoder->repetitionCount = count > 0 ? count - 1 : AVIF_REPETITION_COUNT_INFINITE;
#else
  (void)encoder;
  (void)count;
#endif
}

/* The file of the library with this version's interface. */
static inline const char *nuke_avif_files(void) {
#if AVIF_VERSION >= 2000000
  return "libavif.so";
#elif AVIF_VERSION >= 1000000
  return "libavif.so.16";
#else
  return "libavif.so.15";
#endif
}

/* Returns 0 if top and bottom are exchanged, 1 if left and right are. Version 1.0 renamed the member. */
static inline uint8_t nuke_avif_mirror_axis(avifImageMirror mirror) {
#if AVIF_VERSION >= 1000000
  return mirror.axis;
#else
  return mirror.mode;
#endif
}
