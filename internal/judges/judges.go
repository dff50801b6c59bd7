// Package judges is for tests that compare with something outside of this project: Python with NumPy or Jupyter,
// NVIDIA's compilers, the go command, a C compiler. A test whose judge is missing skips and says why. Where [Variable]
// is "require", as in make test, which sets the judges up, it fails instead: a judge that is lost must not go
// unnoticed.
package judges

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Variable is the environment variable that, set to "require", makes a missing judge a failure.
const Variable = "ARRAYREPL_JUDGES"

// PythonVariable names the Python that has what tests/requirements.txt lists.
const PythonVariable = "ARRAYREPL_PYTHON"

// Missing ends a test because its judge is not here: it skips with the reason, or fails where judges are required. The
// format and its arguments are those of [testing.T.Skipf].
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv(Variable) == "require" {
		t.Fatalf("this judge is required ("+Variable+"=require): "+format, args...)
	}
	t.Skipf(format, args...)
}

// Python returns the path of a Python that can import the modules. Without one the judge is missing.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	python := os.Getenv(PythonVariable)
	if python == "" {
		Missing(t, "%s names no Python with %s; make test sets it", PythonVariable, strings.Join(modules, ", "))
	}
	if len(modules) > 0 {
		if out, err := exec.Command(python, "-W", "ignore", "-c", "import "+strings.Join(modules, ", ")).CombinedOutput(); err != nil {
			Missing(t, "the Python of %s does not import %s (%v); tests/requirements.txt lists what it needs\n%s",
				PythonVariable, strings.Join(modules, ", "), err, out)
		}
	}
	return python
}

// Command returns the path of a command, such as go. Without it the judge is missing.
func Command(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "there is no command %s to compare with: %v", name, err)
	}
	return path
}
