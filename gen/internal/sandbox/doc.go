// Package sandbox runs commands, contained or not, and knows nothing of what they are
// for. It makes work dirs, holds deadlines and caps what is printed.
//
// # Containment
//
// A Box contains processes that run code which nobody has read. Who wrote that code
// may want what lies on the machine, the machine itself, or a better answer than it
// gave. Protected are the files, processes and devices of the host, its network and
// its memory, what other boxes do, and the time of whoever waits.
//
// Each Process has a supervisor: this program, started anew, which contains a thread of
// its own, starts the process from there, and ends all that this has started. It takes
// orders from its input and reports through a descriptor that nothing else has. No
// descriptor that this program was started with goes further.
//
// On Linux there are these layers, of which each holds by itself what it can, so that
// no mistake in one opens the box:
//
//   - Namespaces: a file system in which there is nothing but what may be read, all of
//     it read-only, devices too; no network; no other process to be seen. When the
//     supervisor ends, all end.
//   - Landlock: only what may be read can be opened, whatever is mounted; no signal gets
//     out, since Linux 6.12.
//   - Seccomp: only the calls in calls_linux.go can be made, by untrusted programs fewer than
//     by tools. None reaches another process, changes a file's attributes, or takes
//     memory that nobody counts. Without namespaces it asks a gate about each new
//     process, and, where Landlock does not keep signals in, about each signal.
//   - Limits, on data, addresses, files and descriptors, which are each process's own,
//     and a watch, which ends the run when all together have too much memory. The
//     system's tables of it count too.
//
// Where a layer is missing that is named, and this is left: without namespaces a process
// can see the names of others in /proc if Landlock is missing too, and one that the
// supervisor cannot kill is named as such. Without Landlock and namespaces files can be
// read. Without seccomp a process can limit its supervisor, change the attributes of its
// own files, and hold shared memory that no longer counts. Without a watch each process
// has the limit by itself, and nobody adds them up.
package sandbox
