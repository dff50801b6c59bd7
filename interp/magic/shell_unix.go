//go:build unix

package magic

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the head of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup sends a signal to cmd and what it has started.
func signalGroup(cmd *exec.Cmd, sig os.Signal) { syscall.Kill(-cmd.Process.Pid, sig.(syscall.Signal)) }
