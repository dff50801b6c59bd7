package arrays

import "syscall"

// inLargePages asks the system to put b, which nobody has touched yet, in pages of 2 MB: with those of 4 kB, results
// that go over some MB of memory wait for addresses to be translated. Where it does not, or b does not begin with a
// page, all stays as it is.
func inLargePages(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
