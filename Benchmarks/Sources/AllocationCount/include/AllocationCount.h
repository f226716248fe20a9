#pragma once

/// The number of allocations by all threads: calls of malloc, calloc, realloc and aligned_alloc.
long nuke_allocation_count(void);

/// The number of times that a thread tried to lock a mutex that was already locked.
long nuke_contended_lock_count(void);
