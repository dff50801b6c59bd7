//go:build !unix

package interp

import "syscall"

func withGroup(attr *syscall.SysProcAttr) *syscall.SysProcAttr { return attr }
