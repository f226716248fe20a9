#pragma once
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_HEIF_FUNCTIONS)
#include <libheif/heif.h>

static inline const char *nuke_heif_files(void) { return "libheif.so.1"; }
