#pragma once

/// How often the program has asked for memory: calls of malloc, calloc, realloc and aligned_alloc, of all threads.
long nuke_allocation_count(void);

/// How often a thread of the program found a mutex taken that it was to lock.
long nuke_contended_lock_count(void);
