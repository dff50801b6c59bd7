package kernel

import "syscall"

// wakeOrphan lets a stopped session's process go on when the kernel dies: it sees that its link is closed, and ends. A
// thread that ends while the kernel lives does no harm.
func wakeOrphan(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGCONT }
