#pragma once
#include <stddef.h>
#include <stdint.h>
#include "CNukeJPEGShim.h"
#include "CNukePNGShim.h"
