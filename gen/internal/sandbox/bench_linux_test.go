package sandbox_test

import (
	"bytes"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/sandbox"
)

// BenchmarkStart measures a contained process that does nothing.
func BenchmarkStart(b *testing.B) {
	for name, without := range map[string][]sandbox.Layer{"all": nil, "no-namespaces": {sandbox.Namespaces}, "no-seccomp": {sandbox.Seccomp}, "only-ns": {sandbox.Seccomp, sandbox.Landlock}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				box := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: b.TempDir(), Memory: 1 << 30, Without: without}
				p, err := box.Start(false, sandbox.Command{Args: []string{"true"}})
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
