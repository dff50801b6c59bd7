package kernel

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestRealClients runs those tests of tests/jupyter that are about the protocol (jupyter_client, nbclient,
// jupyter_kernel_test, libzmq) against the scripted session. They wait more than they compute, so they run side by
// side. A short test runs a third of them, each turn others: make test-jupyter runs all of them against the real
// session.
func TestRealClients(t *testing.T) {
	python := judges.Python(t, "pytest", "jupyter_client", "nbclient", "jupyter_kernel_test")
	self, err := os.Executable()
	require.NoError(t, err)
	for i, file := range []string{"test_protocol.py", "test_clients.py", "test_conformance.py", "test_transport.py"} {
		if !testsize.Part(i, 3) {
			continue
		}
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", file)
			cmd.Dir = "../tests/jupyter"
			cmd.Env = append(os.Environ(), "ARRAYREPL_BIN="+self, "ARRAYREPL_FAKE=1", "PYTHONDONTWRITEBYTECODE=1")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
