package main

import (
	"bytes"
	"testing"
)

// TestTextsOfThisRepository holds that the translations are true to the English
// and the rendered pages to both, without a waiver.
func TestTextsOfThisRepository(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), languages, []string{"docs", ".."}, &stdout, &stderr); code != exitFine {
		t.Errorf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
}
