#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CNukeSandbox.h"

#if defined(__x86_64__)
enum { architecture = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { architecture = AUDIT_ARCH_AARCH64 };
#else
#error "no list of system calls for this architecture"
#endif

// MARK: The list

enum verdict { allow = SECCOMP_RET_ALLOW };
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))
#define KILL SECCOMP_RET_KILL_PROCESS

struct rule {
  int call;
  uint32_t verdict;
};

// The system calls for computations and open descriptors.
static const struct rule rules[] = {
    // Memory that is not executable. See below for mmap and mprotect.
    {SYS_munmap, allow}, {SYS_mremap, allow}, {SYS_madvise, allow}, {SYS_brk, allow}, {SYS_membarrier, allow},
    // Threads. See below for clone. The flags of clone3 are behind a pointer; without it, the C library uses clone.
    {SYS_clone3, REFUSE(ENOSYS)}, {SYS_futex, allow}, {SYS_set_robust_list, allow}, {SYS_get_robust_list, allow},
    {SYS_rseq, allow}, {SYS_exit, allow}, {SYS_exit_group, allow}, {SYS_sched_yield, allow},
    {SYS_sched_getaffinity, allow}, {SYS_sched_getparam, allow}, {SYS_sched_getscheduler, allow}, {SYS_gettid, allow},
    {SYS_getpid, allow}, {SYS_getcpu, allow}, {SYS_restart_syscall, allow},
    // Signals within the process. See below for tgkill.
    {SYS_rt_sigaction, allow}, {SYS_rt_sigprocmask, allow}, {SYS_rt_sigreturn, allow}, {SYS_sigaltstack, allow},
    // Clocks, random numbers, and information about the process and the system.
    {SYS_clock_gettime, allow}, {SYS_clock_getres, allow}, {SYS_gettimeofday, allow}, {SYS_nanosleep, allow},
    {SYS_clock_nanosleep, allow}, {SYS_getrandom, allow}, {SYS_uname, allow}, {SYS_sysinfo, allow},
    {SYS_getrusage, allow}, {SYS_times, allow}, {SYS_getuid, allow}, {SYS_geteuid, allow}, {SYS_getgid, allow},
    {SYS_getegid, allow},
    // Open descriptors. See below for fcntl. recvmsg receives sources.
    {SYS_read, allow}, {SYS_readv, allow}, {SYS_pread64, allow}, {SYS_write, allow}, {SYS_writev, allow},
    {SYS_close, allow}, {SYS_lseek, allow}, {SYS_recvmsg, allow}, {SYS_ppoll, allow}, {SYS_fstat, allow},
    {SYS_ioctl, REFUSE(ENOTTY)},
    // The waits of Dispatch's own thread, in programs that started it before the worker.
    {SYS_epoll_pwait, allow}, {SYS_epoll_ctl, allow}, {SYS_timerfd_settime, allow},
    // Harmless calls of libraries, which handle the error.
    {SYS_socket, REFUSE(EPERM)}, {SYS_prctl, REFUSE(EPERM)}, {SYS_sched_setaffinity, REFUSE(EPERM)},
    {SYS_readlinkat, REFUSE(EACCES)}, {SYS_statx, REFUSE(EACCES)},
    {SYS_statfs, REFUSE(EACCES)}, {SYS_getcwd, REFUSE(EACCES)}, {SYS_mkdirat, REFUSE(EACCES)},
    {SYS_unlinkat, REFUSE(EACCES)}, {SYS_getppid, REFUSE(EPERM)},
#ifdef SYS_open
    // Older calls, which exist on x86-64 only.
    {SYS_poll, allow}, {SYS_time, allow}, {SYS_epoll_wait, allow},
    {SYS_readlink, REFUSE(EACCES)}, {SYS_stat, REFUSE(EACCES)}, {SYS_lstat, REFUSE(EACCES)},
    {SYS_mkdir, REFUSE(EACCES)}, {SYS_unlink, REFUSE(EACCES)}, {SYS_fork, KILL}, {SYS_vfork, KILL},
#endif
    // Calls that rendering never needs.
    {SYS_execve, KILL}, {SYS_execveat, KILL}, {SYS_ptrace, KILL}, {SYS_process_vm_readv, KILL},
    {SYS_process_vm_writev, KILL}, {SYS_kill, KILL}, {SYS_tkill, KILL}, {SYS_rt_sigqueueinfo, KILL},
    {SYS_rt_tgsigqueueinfo, KILL}, {SYS_connect, KILL}, {SYS_bind, KILL}, {SYS_listen, KILL}, {SYS_accept, KILL},
    {SYS_accept4, KILL}, {SYS_sendto, KILL}, {SYS_sendmsg, KILL}, {SYS_sendmmsg, KILL}, {SYS_mount, KILL},
    {SYS_umount2, KILL}, {SYS_pivot_root, KILL}, {SYS_chroot, KILL}, {SYS_setns, KILL}, {SYS_unshare, KILL},
    {SYS_bpf, KILL}, {SYS_perf_event_open, KILL}, {SYS_userfaultfd, KILL}, {SYS_keyctl, KILL}, {SYS_add_key, KILL},
    {SYS_request_key, KILL}, {SYS_init_module, KILL}, {SYS_finit_module, KILL}, {SYS_delete_module, KILL},
    {SYS_kexec_load, KILL}, {SYS_reboot, KILL}, {SYS_setuid, KILL}, {SYS_setgid, KILL}, {SYS_setresuid, KILL},
    {SYS_setresgid, KILL}, {SYS_capset, KILL},
#ifdef SYS_io_uring_setup
    {SYS_io_uring_setup, KILL}, {SYS_io_uring_enter, KILL}, {SYS_io_uring_register, KILL},
#endif
#ifdef SYS_pidfd_open
    {SYS_pidfd_open, KILL}, {SYS_pidfd_send_signal, KILL},
#endif
#ifdef SYS_pidfd_getfd
    {SYS_pidfd_getfd, KILL},
#endif
};

// MARK: Writing the filter

struct program {
  struct sock_filter code[512];
  unsigned short count;
};

static void add(struct program *program, struct sock_filter instruction) {
  if (program->count < sizeof program->code / sizeof *program->code) program->code[program->count++] = instruction;
}

#define STATEMENT(code, k) add(program, (struct sock_filter)BPF_STMT(code, k))
#define JUMP(code, k, yes, no) add(program, (struct sock_filter)BPF_JUMP(code, k, yes, no))

static void add_verdict(struct program *program, uint32_t verdict) { STATEMENT(BPF_RET | BPF_K, verdict); }

static void add_rule(struct program *program, int call, uint32_t verdict) {
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
  add_verdict(program, verdict);
}

// The lower half of an argument. Both architectures are little-endian, and all these arguments have 32 bits.
static uint32_t lower_half(int argument) {
  return offsetof(struct seccomp_data, args) + (uint32_t)argument * sizeof(uint64_t);
}

// Allows a call if its argument equals `value` after applying `mask`.
static void add_masked(
    struct program *program, int call, int argument, uint32_t mask, uint32_t value, uint32_t otherwise) {
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5);
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, lower_half(argument));
  STATEMENT(BPF_ALU | BPF_AND | BPF_K, mask);
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  add_verdict(program, allow);
  add_verdict(program, otherwise);
}

static void add_threads(struct program *program) {
  const uint32_t thread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  const uint32_t spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                          CLONE_NEWNET | CLONE_PTRACE | CLONE_VFORK;
  add_masked(program, SYS_clone, 0, thread | spaces, thread, KILL);
  // abort() and pthread_kill().
  add_masked(program, SYS_tgkill, 0, ~0u, (uint32_t)getpid(), KILL);
}

static void add_memory(struct program *program) {
  add_masked(program, SYS_mmap, 2, PROT_EXEC, 0, KILL);
  add_masked(program, SYS_mprotect, 2, PROT_EXEC, 0, KILL);
  add_masked(program, SYS_pkey_mprotect, 2, PROT_EXEC, 0, KILL);
}

// Commands that neither send signals (F_SETOWN) nor change state shared with other processes.
static void add_descriptors(struct program *program) {
  static const int commands[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC};
  const int count = sizeof commands / sizeof *commands;
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, (unsigned char)(count + 3));
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, lower_half(1));
  for (int index = 0; index < count; index++)
    JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)commands[index], (unsigned char)(count - index), 0);
  add_verdict(program, REFUSE(EPERM));
  add_verdict(program, allow);
}

// Allows reading the limits of this process (process 0), without setting new ones.
static void add_limits(struct program *program) {
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 8);
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, lower_half(0));
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5);
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, lower_half(2));
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, lower_half(2) + 4);
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
  add_verdict(program, allow);
  add_verdict(program, REFUSE(EPERM));
}

// Allows opening files for reading only. Landlock restricts which ones.
static void add_files(struct program *program, bool reads_files) {
  const uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | O_ASYNC | O_PATH | (O_TMPFILE & ~O_DIRECTORY);
  if (!reads_files) {
    add_rule(program, SYS_openat, REFUSE(EACCES));
    add_rule(program, SYS_newfstatat, REFUSE(EACCES));
    add_rule(program, SYS_faccessat, REFUSE(EACCES));
#ifdef SYS_open
    add_rule(program, SYS_open, REFUSE(EACCES));
    add_rule(program, SYS_access, REFUSE(EACCES));
#endif
    return;
  }
  add_masked(program, SYS_openat, 2, writing, 0, REFUSE(EACCES));
  // The C library queries an open descriptor in this way.
  add_masked(program, SYS_newfstatat, 3, AT_EMPTY_PATH, AT_EMPTY_PATH, REFUSE(EACCES));
  // Pango checks whether a font is readable. This reveals whether a file exists, which Landlock does not hide.
  add_rule(program, SYS_faccessat, allow);
  add_rule(program, SYS_getdents64, allow);
  add_rule(program, SYS_fstatfs, allow);
#ifdef SYS_open
  add_masked(program, SYS_open, 1, writing, 0, REFUSE(EACCES));
  add_rule(program, SYS_access, allow);
#endif
}

bool nuke_sandbox_has_filters(void) {
  uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int nuke_sandbox_filter_calls(bool reads_files) {
  struct program written = {.count = 0};
  struct program *program = &written;
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  add_verdict(program, KILL);
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  // Numbers from here on belong to x32, which has different calls.
  JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  add_verdict(program, KILL);
#endif
  for (size_t index = 0; index < sizeof rules / sizeof *rules; index++)
    add_rule(program, rules[index].call, rules[index].verdict);
  add_memory(program);
  add_threads(program);
  add_descriptors(program);
  add_limits(program);
  add_files(program, reads_files);
  // The error of a kernel without the call. Libraries then use another one.
  add_verdict(program, REFUSE(ENOSYS));
  if (program->count == sizeof program->code / sizeof *program->code) return ENOMEM;
  struct sock_fprog filter = {.len = program->count, .filter = program->code};
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
  // A positive number is the ID of a thread to which the filter could not be applied.
  return result < 0 ? errno : result > 0 ? EBUSY : 0;
}
