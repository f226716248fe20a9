#include "CNukeCodecs.h"
