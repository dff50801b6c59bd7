//go:build !unix

package replace

import "os"

// gone reports whether there is no process of that number.
func gone(pid int) bool {
	if pid == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(pid) // on Windows it opens the process
	if err == nil {
		p.Release()
	}
	return err != nil
}
