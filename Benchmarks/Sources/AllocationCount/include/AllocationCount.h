#pragma once

/// How often the program has asked for memory: calls of malloc, calloc, realloc and aligned_alloc, of all threads.
long nuke_allocation_count(void);
