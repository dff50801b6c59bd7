//go:build unix && !linux

package kernel

import "syscall"

// wakeOrphan does nothing: a process is not told here that its parent has died.
func wakeOrphan(*syscall.SysProcAttr) {}
