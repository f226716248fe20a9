#pragma once
#include "CNukeUnfilter.h"
#include "kernels.h"

enum {
  nuke_adler_base = 65521,
  // The maximum number of bytes for which sums that begin below the base do not exceed 32 bits (RFC 1950, 9).
  nuke_adler_limit = 5552,
};

extern NUKE_HIDDEN const nuke_unfilter_kernels nuke_unfilter_scalar;
#if NUKE_X86 || NUKE_NEON
extern NUKE_HIDDEN const nuke_unfilter_kernels nuke_unfilter_wide;
#endif
