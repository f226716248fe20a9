#pragma once
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_REDIS_FUNCTIONS)
#include <hiredis/hiredis.h>

#define NUKE_REDIS_TEXT(value) #value
#define NUKE_REDIS_FILE(version) "libhiredis.so." NUKE_REDIS_TEXT(version)

static inline const char *nuke_redis_files(void) { return NUKE_REDIS_FILE(HIREDIS_SONAME); }
