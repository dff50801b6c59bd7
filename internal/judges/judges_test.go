package judges

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMissing runs this test's own executable with and without the variable: what its child does is a skip or a
// failure.
func TestMissing(t *testing.T) {
	if os.Getenv("JUDGES_CHILD") != "" {
		Missing(t, "no %s here", "oracle")
		return
	}
	for _, c := range []struct {
		value, says string
		fails       bool
	}{
		{"", "--- SKIP", false},
		{"require", "--- FAIL", true},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMissing$", "-test.v")
		cmd.Env = append(os.Environ(), "JUDGES_CHILD=1", Variable+"="+c.value)
		out, err := cmd.CombinedOutput()
		require.Equal(t, c.fails, err != nil, "%s", out)
		require.Contains(t, string(out), c.says)
		require.Contains(t, string(out), "no oracle here")
	}
}

// TestPythonWithoutAModule: a Python that lacks a module is as missing as no Python.
func TestPythonWithoutAModule(t *testing.T) {
	if os.Getenv("JUDGES_CHILD") != "" {
		Python(t, "sys", "no_such_module_of_python")
		return
	}
	python := Python(t, "sys")
	cmd := exec.Command(os.Args[0], "-test.run=^TestPythonWithoutAModule$", "-test.v")
	cmd.Env = append(os.Environ(), "JUDGES_CHILD=1", Variable+"=", PythonVariable+"="+python)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "does not import sys, no_such_module_of_python")
}
