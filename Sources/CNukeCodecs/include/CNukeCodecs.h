#pragma once
#include <stddef.h>
#include <stdint.h>
#include "CNukeGzipShim.h"
#include "CNukeJPEGShim.h"
#include "CNukePNGShim.h"
// Luma and chroma of lossy WebP, reduced.
#include <CNukeReduce.h>
