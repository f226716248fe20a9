#ifndef CNUKE_SANDBOX_H
#define CNUKE_SANDBOX_H

// System calls of the sandbox that Swift cannot make. Each function returns 0 or an errno, unless stated otherwise.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Server

/// Starts `program` in its own process group, with default signal handlers, and with `socket` as descriptor 3 and no
/// others. The worker is killed when the calling thread ends.
int nuke_sandbox_spawn(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    int socket, pid_t *_Nonnull pid);

/// Waits for a started process for at most `milliseconds`, and then kills it. Returns its status as from `wait`, or -1
/// if another caller has already waited for it.
int nuke_sandbox_reap(pid_t pid, int milliseconds);

/// Creates two connected sockets, which are closed in started programs.
int nuke_sandbox_socket_pair(int sockets[_Nonnull 2]);

/// Returns a descriptor that is readable while its counter is not 0; -1 with errno.
int nuke_sandbox_counter(void);

/// Returns an immutable in-memory file with these bytes; -1 with errno if memory cannot be allocated.
int nuke_sandbox_sealed_file(const void *_Nullable bytes, size_t count);

/// Sends bytes without blocking, with a descriptor unless `file` is negative. May send fewer bytes.
///
/// Returns the number of bytes sent, or -1 with errno.
ssize_t nuke_sandbox_send(int socket, const void *_Nonnull bytes, size_t count, int file);

// MARK: Worker

/// Receives bytes, and the descriptor sent with them; -1 if there is none. Returns the result of `recvmsg`.
ssize_t nuke_sandbox_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull file);

/// Disables core dumps, tracing, writing files and new privileges, and limits memory to `memory` bytes. The process is
/// killed when its parent ends, and ignores SIGTERM, SIGINT and SIGHUP, which are sent to whole process groups.
int nuke_sandbox_limit_process(uint64_t memory);

/// Limits the writable private memory of another process of the same user, up to the limit that it has set itself.
///
/// @return 0, or an error number.
int nuke_sandbox_limit_data(pid_t process, uint64_t bytes);

/// Returns the version of Landlock in the kernel; 0 if there is none.
int nuke_sandbox_landlock_version(void);

/// Returns the number of threads of this process; 0 if it is unknown.
int nuke_sandbox_thread_count(void);

/// Restricts this thread, and the threads that it starts, to reading the given folders. Missing folders are ignored.
/// Needs Landlock.
int nuke_sandbox_restrict_files(const char *_Nullable const *_Nonnull folders, size_t count);

/// Returns `true` if the kernel can filter system calls and kill the process on a violation.
bool nuke_sandbox_has_filters(void);

/// Allows all threads of this process only system calls for memory, threads, clocks and open descriptors; other calls
/// fail or kill the process. With `reads_files`, files may be opened for reading.
int nuke_sandbox_filter_calls(bool reads_files);

#endif
