//go:build !unix

package magic

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// signalGroup ends cmd: other signals cannot be sent here.
func signalGroup(cmd *exec.Cmd, _ os.Signal) { cmd.Process.Kill() }
