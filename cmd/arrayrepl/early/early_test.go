package early

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// ports are five that were free a moment ago.
func ports(t *testing.T) (free []int) {
	for range 5 {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer ln.Close()
		free = append(free, ln.Addr().(*net.TCPAddr).Port)
	}
	return free
}

func connectionFile(t *testing.T, ip, transport string, p []int) string {
	data, err := json.Marshal(map[string]any{"transport": transport, "ip": ip, "shell_port": p[0], "control_port": p[1], "stdin_port": p[2], "iopub_port": p[3], "hb_port": p[4], "key": "k"})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "c.json")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func TestOpenedPortsAreListeners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is opened early on Windows")
	}
	p := ports(t)
	files := open(connectionFile(t, "127.0.0.1", "tcp", p))
	if len(files) != 5 {
		t.Fatal(files)
	}
	for port, f := range files {
		early, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))) // before anybody accepts
		require.NoError(t, err)
		defer early.Close()
		ln, err := net.FileListener(f)
		require.NoError(t, err)
		f.Close()
		defer ln.Close()
		c, err := ln.Accept()
		require.NoError(t, err)
		defer c.Close()
		if c.RemoteAddr().String() != early.LocalAddr().String() || ln.Addr().(*net.TCPAddr).Port != port {
			t.Errorf("port %d: %v accepted at %v", port, c.RemoteAddr(), ln.Addr())
		}
	}
}

func TestWhatIsNotOpened(t *testing.T) {
	p := ports(t)
	taken, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p[4])))
	require.NoError(t, err)
	defer taken.Close()
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"shell_port": "x"`), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, path := range map[string]string{
		"one port is taken": connectionFile(t, "127.0.0.1", "tcp", p), "ipc": connectionFile(t, "/tmp/k", "ipc", p), "IPv6": connectionFile(t, "::1", "tcp", p),
		"a name": connectionFile(t, "localhost", "tcp", p), "any address": connectionFile(t, "*", "tcp", p), "no JSON": bad, "no file": bad + "x",
		"no ports": connectionFile(t, "127.0.0.1", "tcp", make([]int, 5)), "no number": connectionFile(t, "127.0.0.256", "tcp", p), "three": connectionFile(t, "127.0.1", "tcp", p),
	} {
		if files := open(path); files != nil {
			t.Errorf("%s: %v", what, files)
		}
	}
	for _, port := range p[:4] { // those before the one that is taken are free again
		ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			t.Error(err)
			continue
		}
		ln.Close()
	}
}
