#pragma once
#include "CNukeUnfilter.h"
#include "kernels.h"

enum {
  nuke_adler_base = 65521,
  // The most bytes after which both sums still fit into 32 bits, where they began below the base.
  nuke_adler_limit = 5552,
};

extern NUKE_HIDDEN const nuke_unfilter_kernels nuke_unfilter_scalar;
#if NUKE_X86 || NUKE_NEON
extern NUKE_HIDDEN const nuke_unfilter_kernels nuke_unfilter_wide;
#endif
