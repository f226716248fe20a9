#ifndef CNUKE_SANDBOX_H
#define CNUKE_SANDBOX_H

// The system calls behind the sandbox, which Swift cannot make: each returns 0, or errno's number, unless said otherwise.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: The server's side

/// Starts `program` with `socket` as descriptor 3 and no other, in a process group of its own, with signals as they are by
/// default. The worker ends with the thread that calls this.
int nuke_sandbox_spawn(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    int socket, pid_t *_Nonnull pid);

/// Waits for a process that has been started, at most so long; then it is killed. Returns its status as `wait` tells it, or
/// -1 where somebody else has asked for it.
int nuke_sandbox_reap(pid_t pid, int milliseconds);

/// Two connected sockets, closed in programs that are started.
int nuke_sandbox_socket_pair(int sockets[_Nonnull 2]);

/// A descriptor that can be read from when its counter is not 0; -1 with errno.
int nuke_sandbox_counter(void);

/// A file in memory with these bytes, which nobody can change any more; -1 with errno where there is no room.
int nuke_sandbox_sealed_file(const void *_Nullable bytes, size_t count);

/// Sends bytes and, unless `file` is negative, a descriptor with them, without waiting. Fewer may be sent.
///
/// Returns the number of bytes, or -1 with errno.
ssize_t nuke_sandbox_send(int socket, const void *_Nonnull bytes, size_t count, int file);

// MARK: The worker's side

/// Receives bytes, and a descriptor where one comes with them, else -1. Returns as `recvmsg` does.
ssize_t nuke_sandbox_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull file);

/// Takes from this process what it needs no more: core dumps, being traced, files to write, privileges, and memory beyond
/// `memory` bytes. It is killed when its parent ends, and goes on at SIGTERM, SIGINT and SIGHUP, which whole groups are sent.
int nuke_sandbox_limit_process(uint64_t memory);

/// The version of Landlock that the kernel has; 0 for none.
int nuke_sandbox_landlock_version(void);

/// How many threads this process has; 0 where that cannot be told.
int nuke_sandbox_thread_count(void);

/// From here on this thread, and those that it starts, read the folders that are named, and nothing else. Those that do
/// not exist are passed over. Takes Landlock.
int nuke_sandbox_restrict_files(const char *_Nullable const *_Nonnull folders, size_t count);

/// `true` if the kernel filters system calls, and kills processes by that.
bool nuke_sandbox_has_filters(void);

/// From here on all threads of this process are killed, or refused, at each system call but those for memory, threads,
/// clocks and open descriptors. With `reads_files`, files may be opened for reading.
int nuke_sandbox_filter_calls(bool reads_files);

#endif
