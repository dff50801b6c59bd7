//go:build unix

package supervise

import "syscall"

// withGroup returns attr with a process group of its own.
func withGroup(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	if attr == nil {
		return &syscall.SysProcAttr{Setpgid: true}
	}
	if attr.Setsid || attr.Setpgid || attr.Foreground {
		return attr
	}
	own := *attr
	own.Setpgid = true
	return &own
}
