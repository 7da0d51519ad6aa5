package runner_test

import (
	"bytes"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/runner"
)

// BenchmarkStart measures a contained process that does nothing.
func BenchmarkStart(b *testing.B) {
	for name, without := range map[string][]runner.Layer{"all": nil, "no-namespaces": {runner.Namespaces}, "no-seccomp": {runner.Seccomp}, "only-ns": {runner.Seccomp, runner.Landlock}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				box := &runner.Box{Isolation: runner.AutoIsolation, Work: b.TempDir(), Memory: 1 << 30, Without: without}
				p, err := box.Start(false, lang.Command{Args: []string{"true"}})
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := p.Wait(time.Now().Add(time.Minute), &bytes.Buffer{}); err != nil {
					b.Fatal(err)
				}
				p.Kill()
			}
		})
	}
}
