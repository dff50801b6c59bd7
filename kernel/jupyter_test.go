package kernel

import (
	"os"
	"os/exec"
	"testing"
)

// TestRealClients runs those tests of tests/jupyter that are about the protocol (jupyter_client, nbclient, jupyter_kernel_test,
// libzmq) against the scripted session.
func TestRealClients(t *testing.T) {
	python := os.Getenv("ARRAYREPL_PYTHON")
	if python == "" {
		t.Skip("ARRAYREPL_PYTHON names no Python with what tests/requirements.txt lists")
	}
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
