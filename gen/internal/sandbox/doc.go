// Package sandbox runs commands, contained or not, and knows nothing of what they are
// for. It makes work dirs, holds deadlines and caps what is printed.
//
// # Who attacks, and what is protected
//
// A [Box] contains processes that run code which nobody has read. The code's author may
// want to read or change files, take over the machine, or spoil another run. The box
// protects the host's files, processes, devices, network, memory and processors, the
// other boxes, and the time of the caller.
//
// # How
//
// Each [Process] has a supervisor: this program, started anew. The supervisor contains
// a thread of its own, starts the process from that thread, and ends every process that
// the process has started. It reads its orders from its input and reports through a
// descriptor that no other process has. It passes on no descriptor that this program
// was started with.
//
// On Linux there are these layers. Each holds by itself as much as it can, so that no
// mistake in one opens the box:
//
//   - [Namespaces]: the process sees only the files that it may read, all of them
//     read-only, devices too, and a /dev/shm of 256 kB in which untrusted programs
//     share locks. It has no network and sees no other process. When the supervisor
//     ends, all processes end.
//   - [Landlock]: the process can open only the files that it may read, whatever is
//     mounted. Since Linux 6.12 it can send no signal out of the box.
//   - [Seccomp]: the process can make only the calls in calls_linux.go, untrusted
//     programs fewer than tools. No call reaches another process, changes a file's
//     attributes, or takes memory that nobody counts. Where the system does not
//     limit their number, the filter asks a gate about each new process; without
//     namespaces, where Landlock does not keep signals in, also about each signal.
//   - [Cgroup]: the system counts and limits the memory of all processes together,
//     shared memory and its own tables too, and their number, and ends all of them. It
//     is made where that is allowed: for root mostly, outside of containers.
//   - [Watch]: the supervisor looks at all processes again and again, and ends them when
//     together they have too much memory, page tables and what may wait in sockets and
//     pipes included. Limits on data, addresses, files, descriptors and timers hold for
//     each process by itself.
//
// # What is left without a layer
//
// [Box.Layers] tells which layers are in force, and why the others are not.
//
//   - Without namespaces and Landlock a process can see the names of others in /proc,
//     and can read files. An error names the processes that the supervisor cannot kill.
//   - Without seccomp a process can limit its supervisor, change the attributes of its
//     own files, and, where there is no control group, hold shared memory that no longer
//     counts. With Landlock alone it can change attributes of the host's devices.
//   - Without namespaces the supervisor has to end what the process started. If somebody
//     kills the supervisor, the caller ends all processes of its session; if the caller is
//     killed at the same time, they stay.
//   - Without a watch nobody counts what waits in sockets and pipes. Without a control
//     group too, each process has the limit by itself.
//   - Without a control group nobody counts what the system notes of each mapping: up to
//     16 MB for each process.
//   - The supervisor shares the limits that it sets. A program built with cgo gets no
//     threads as a supervisor where the limit on data is 128 MB, and its run fails.
//   - In namespaces, before Linux 6.14, no limit of the system binds the processes of
//     root. The gate counts them, but not where /proc shows no processes.
//   - All processes of a box have one session, and with it one share of the processors,
//     if the system shares them out by session (sched_autogroup_enabled), as it does
//     outside of containers.
//   - A child that nobody waits for can use up to 50 ms of the processors' time, or 200
//     ms without namespaces, before the watch sees it. A control group counts that time.
package sandbox
