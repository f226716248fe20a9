#include "CNukeKernels.h"
