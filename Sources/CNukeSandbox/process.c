#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CNukeSandbox.h"

int nuke_sandbox_spawn(
    const char *program, char *const *arguments, char *const *environment, int socket, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  for (int number = 0; number <= 2 && !error; number++)
    error = posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, socket, 3);
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
  if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
  if (!error)
    error = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  if (!error) error = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int nuke_sandbox_reap(pid_t pid, int milliseconds) {
  // The descriptors of a process are closed shortly before it can be waited for.
  int process = milliseconds > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
  if (process >= 0) {
    struct pollfd wait = {.fd = process, .events = POLLIN};
    while (poll(&wait, 1, milliseconds) < 0 && errno == EINTR) {}
    close(process);
  }
  int status = 0;
  pid_t ended;
  do ended = waitpid(pid, &status, WNOHANG);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) {
    kill(pid, SIGKILL);
    do ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
  }
  return ended == pid ? status : -1;
}

int nuke_sandbox_socket_pair(int sockets[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) ? errno : 0;
}

int nuke_sandbox_counter(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int nuke_sandbox_sealed_file(const void *bytes, size_t count) {
  int file = memfd_create("source", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  size_t done = 0;
  while (done < count) {
    ssize_t written = write(file, (const char *)bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) goto failed;
    done += (size_t)written;
  }
  if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)) goto failed;
  return file;
failed:;
  int error = errno;
  close(file);
  errno = error;
  return -1;
}

// A buffer for one descriptor.
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

ssize_t nuke_sandbox_send(int socket, const void *bytes, size_t count, int file) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union control control;
  if (file >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t nuke_sandbox_receive(int socket, void *bytes, size_t count, int *file) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  union control control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  *file = -1;
  if (received <= 0) return received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    memcpy(file, CMSG_DATA(header), sizeof *file);
  return received;
}

static int limit(int resource, rlim_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now)) return errno;
  // A lower limit is kept.
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) value = now.rlim_max;
  struct rlimit wanted = {.rlim_cur = value, .rlim_max = value};
  return setrlimit(resource, &wanted) ? errno : 0;
}

// If memory runs short, the kernel ends a worker, and not the server (proc(5), oom_score_adj).
static void offer_to_oom_killer(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t written = write(file, "900", 3);
  (void)written;
  close(file);
}

int nuke_sandbox_limit_data(pid_t process, uint64_t bytes) {
  struct rlimit now;
  if (prlimit(process, RLIMIT_DATA, NULL, &now)) return errno;
  struct rlimit wanted = {.rlim_cur = bytes < now.rlim_max ? bytes : now.rlim_max, .rlim_max = now.rlim_max};
  return prlimit(process, RLIMIT_DATA, &wanted, NULL) ? errno : 0;
}

int nuke_sandbox_limit_process(uint64_t memory) {
  offer_to_oom_killer();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return errno;
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  // Writing to a file then fails with an error instead of ending the process.
  signal(SIGXFSZ, SIG_IGN);
  int error = limit(RLIMIT_CORE, 0);
  if (!error) error = limit(RLIMIT_FSIZE, 0);
  if (!error) error = limit(RLIMIT_NOFILE, 64);
  if (!error) error = limit(RLIMIT_DATA, memory);
  return error;
}

int nuke_sandbox_thread_count(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}
