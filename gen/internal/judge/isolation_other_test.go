//go:build !linux

package judge_test

import "os"

const helperVariable = "JUDGE_TEST_SURROUNDINGS"

// help is never called: only Linux has other surroundings.
func help() int { return 1 }

// owner is of interest where solutions are contained alone.
func owner(os.FileInfo) string { return "" }
