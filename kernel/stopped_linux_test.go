package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// allStopped reports whether all threads of a process are stopped.
func allStopped(pid int) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if _, rest, ok := strings.Cut(string(text), ") "); err == nil && (!ok || rest[0] != 'T') {
			return false
		}
	}
	return len(files) > 0
}

// A session that was stopped cannot be interrupted, and that is said. When it goes on, it is as before.
func TestAStoppedSession(t *testing.T) {
	testsize.InTurn(t, 0)
	c := startKernel(t)
	m, out := c.run("session's process")
	require.Equal(t, "ok", m.str("status"))
	pid, err := strconv.Atoi(out[len(out)-2].map_["data"].(map[string]any)["text/plain"].(string))
	require.NoError(t, err)
	id := c.send(c.shell, "execute_request", object{"code": "for { }"})
	waitFor(t, func() bool { return c.recv(c.iopub).Type == "execute_input" })
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	waitFor(t, func() bool { return allStopped(pid) }) // one thread after the other
	go func() {                                        // however this ends
		<-t.Context().Done()
		syscall.Kill(pid, syscall.SIGCONT)
	}()
	c.send(c.control, "interrupt_request", object{})
	require.Equal(t, "interrupt_reply", c.recv(c.control).Type)
	m = c.recv(c.shell)
	require.Equal(t, id, m.Parent)
	require.Equal(t, "SessionStopped", m.str("ename"))
	require.Contains(t, m.str("evalue"), "kill -CONT "+strconv.Itoa(pid))
	m = c.ask("complete_request", object{"code": "fmt.Prin", "cursor_pos": 8})
	require.Equal(t, "SessionStopped", m.str("ename"))

	require.NoError(t, syscall.Kill(pid, syscall.SIGCONT))
	m, _ = c.run("1 + 1")
	require.Equal(t, "ok", m.str("status"))
}
