// Gen writes the tests of an exercise from its language-neutral data, proves
// that each of them can pass and can fail, and judges solutions by them.
//
// Run "gen --help" for the commands. Results go to stdout, all else to stderr.
// The exit code is 0 if all is well, 1 for a negative verdict such as a file
// that would change, and 2 if the work could not be done.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"stateoftictactoe/gen/internal/sandbox"
)

func main() {
	if sandbox.IsSupervisor() {
		os.Exit(sandbox.Supervise())
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	os.Exit(run(ctx, languages, os.Args[1:], os.Stdout, os.Stderr))
}

// endings are the signals that end the work in good order, without those that this
// program was started to ignore, as nohup does.
func endings() (signals []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}
