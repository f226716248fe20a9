#pragma once
#include "../CNukeGLib/shim.h"
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_CHAFA_FUNCTIONS)
#include <chafa.h>

static inline const char *nuke_chafa_files(void) { return "libchafa.so.0"; }

// A function of GLib, which libchafa needs. It has a name of its own, because GTK's views link the original.
extern __typeof__(g_string_free) nuke_chafa_g_string_free;
