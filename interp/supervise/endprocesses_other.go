//go:build !unix

package supervise

import "syscall"

func withGroup(attr *syscall.SysProcAttr) *syscall.SysProcAttr { return attr }
