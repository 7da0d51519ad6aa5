package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestInit holds that no package makes much before it is needed. The harness starts
// anew to supervise each process that it contains.
func TestInit(t *testing.T) {
	const most = 64 << 10 // bytes; the expressions and templates of one language took more
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		// "init PACKAGE @1.2 ms, 0.1 ms clock, 512 bytes, 8 allocs"
		fields := strings.Fields(line)
		if len(fields) < 8 || fields[0] != "init" || !strings.HasPrefix(fields[1], module+"/gen/internal/") {
			continue
		}
		seen++
		if taken, err := strconv.Atoi(fields[7]); err != nil || taken > most {
			t.Errorf("%s: at most %d bytes are in order", strings.TrimSpace(line), most)
		}
	}
	if seen == 0 {
		t.Errorf("no package is named:\n%s", text)
	}
}
