// Package sandbox runs commands, contained or not, and knows nothing of what they are
// for. It makes work dirs, holds deadlines and caps what is printed.
//
// # Who attacks, and what is protected
//
// A [Box] contains processes that run code which nobody has read. Who wrote that code
// may want what lies on the machine, the machine itself, or to spoil another's run.
// Protected are the files, processes and devices of the host, its network, its memory
// and its processors, the other boxes, and the time of whoever waits.
//
// # How
//
// Each [Process] has a supervisor: this program, started anew, which contains a thread
// of its own, starts the process from there, and ends all that this has started. It
// takes orders from its input and reports through a descriptor that nothing else has. No
// descriptor that this program was started with goes further.
//
// On Linux there are these layers. Each holds by itself as much as it can, so that no
// mistake in one opens the box:
//
//   - [Namespaces]: a file system with nothing in it but what may be read, all of it
//     read-only, devices too, but for a /dev/shm of 256 kB in which untrusted programs
//     share locks; no network; no other process to be seen. When the supervisor ends,
//     all end.
//   - [Landlock]: only what may be read can be opened, whatever is mounted. Since Linux
//     6.12 no signal gets out.
//   - [Seccomp]: only the calls in calls_linux.go can be made, by untrusted programs
//     fewer than by tools. None reaches another process, changes a file's attributes, or
//     takes memory that nobody counts. Without namespaces it asks a gate about each new
//     process, and, where Landlock does not keep signals in, about each signal.
//   - [Cgroup]: the system counts and limits the memory of all processes together,
//     shared memory and its own tables too, and their number, and ends all of them. It
//     is made where that is allowed: for root mostly, outside of containers.
//   - [Watch]: looks at all processes again and again, and ends them when they have too
//     much memory together, with the system's tables of it. Limits on data, addresses,
//     files and descriptors are each process's own.
//
// # What is left without a layer
//
// [Box.Layers] tells which layers are in force, and why another is not.
//
//   - Without namespaces a process can see the names of others in /proc if Landlock is
//     missing too. What the supervisor cannot kill is named.
//   - Without Landlock and namespaces files can be read.
//   - Without seccomp a process can limit its supervisor, change the attributes of its
//     own files, and, where there is no control group, hold shared memory that no longer
//     counts. Of Landlock alone it can change attributes of the host's devices.
//   - Without a watch and a control group each process has the limit by itself.
//   - All processes of a box have one session, and with it one share of the processors,
//     if the system shares them out by session (sched_autogroup_enabled), as it does
//     outside of containers.
//   - A child that nobody waits for can use up to 50 ms of the processors' time, or 200
//     ms without namespaces, that no look at it sees. A control group counts it.
package sandbox
