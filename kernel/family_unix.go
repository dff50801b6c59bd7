//go:build unix

package kernel

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/arrayrepl/arrayrepl/internal/procs"
)

// The session's process leads a group of processes: all that cells start is below that process, or in its session of
// processes, unless it leaves on purpose (setsid). On Linux both it and the kernel adopt what is below them
// (procs.Adopting), so that also what has left is found. Whoever of the two outlives the other ends the rest.

// foundFamily makes cmd the head of a family of processes. It leads a session of its own where the kernel has a
// terminal, which programs of cells must not wait for, and where nobody adopts. Elsewhere a group does: Linux shares
// the processors out by sessions, and cells take a seventh longer when the kernel and theirs are two.
func foundFamily(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if procs.HasTerminal() || !procs.Adopts() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	wakeOrphan(cmd.SysProcAttr)
}

// family returns what ends all that a process made by foundFamily has started, when it has ended itself.
func family(cmd *exec.Cmd) (end func(), err error) {
	return func() { procs.KillFamily(cmd.Process.Pid) }, nil
}

// endFamily ends all that this process, made by foundFamily, has started.
func endFamily() {
	if _, alone := procs.Own(); alone {
		procs.KillFamily(os.Getpid())
	}
}
