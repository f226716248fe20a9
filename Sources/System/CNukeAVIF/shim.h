#pragma once
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_AVIF_FUNCTIONS)
#include <avif/avif.h>
#include <stdint.h>

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
