// Package teststreams is for tests of what a process writes to its standard output and standard error.
package teststreams

import (
	"os"
	"testing"
)

// stderr is standard error before the tests run.
var stderr = os.Stderr

// OwnStderr lets os.Stderr be the process's standard error until the test ends. go test -json sets it to os.Stdout, and
// then the two cannot be told apart.
func OwnStderr(t testing.TB) {
	old := os.Stderr
	os.Stderr = stderr
	t.Cleanup(func() { os.Stderr = old })
}
