//go:build !unix

package magic

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup kills cmd.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
