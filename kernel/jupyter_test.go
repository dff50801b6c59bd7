package kernel

import (
	"os"
	"os/exec"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// TestRealClients runs those tests of tests/jupyter that are about the protocol (jupyter_client, nbclient, jupyter_kernel_test,
// libzmq) against the scripted session.
func TestRealClients(t *testing.T) {
	python := judges.Python(t, "pytest", "jupyter_client", "nbclient", "jupyter_kernel_test")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
		"test_protocol.py", "test_conformance.py", "test_clients.py", "test_transport.py")
	cmd.Dir = "../tests/jupyter"
	cmd.Env = append(os.Environ(), "ARRAYREPL_BIN="+self, "ARRAYREPL_FAKE=1", "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
