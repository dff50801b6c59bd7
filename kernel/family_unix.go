//go:build unix

package kernel

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/arrayrepl/arrayrepl/internal/procs"
)

// The session's process leads a session of processes: all that cells start belongs to that, unless it leaves on purpose (setsid).
// Whoever of the kernel and the session's process outlives the other ends the rest.

// foundFamily makes cmd the head of a family of processes.
func foundFamily(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	wakeOrphan(cmd.SysProcAttr)
}

// family returns what ends all that a process made by foundFamily has started, when it has ended itself.
func family(cmd *exec.Cmd) (end func(), err error) {
	return func() { procs.KillSession(cmd.Process.Pid) }, nil
}

// endFamily ends all that this process, made by foundFamily, has started.
func endFamily() {
	if _, leads := procs.Own(); leads {
		procs.KillSession(os.Getpid())
	}
}
