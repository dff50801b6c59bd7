// Package alone runs tests in processes of their own.
package alone

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// variable names, in a child, the test that it runs.
const variable = "ARRAYREPL_TEST_ALONE"

// Here reports whether the test is to run in this process: false says that it has run in a child, with more arguments
// if there are, whose failure is the test's. A test that measures the heap is not to see what other tests have left
// there, and each collection that a test asks for would go through all of that.
func Here(t *testing.T, args ...string) bool {
	t.Helper()
	if os.Getenv(variable) == t.Name() {
		return true
	}
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^" + regexp.QuoteMeta(t.Name()) + "$", "-test.v"}, args...)...)
	cmd.Env = append(os.Environ(), variable+"="+t.Name())
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
	return false
}
