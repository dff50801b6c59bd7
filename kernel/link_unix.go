//go:build unix

package kernel

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// firstInherited is the first file descriptor after the standard ones: a session's process finds its link from there
// on.
const firstInherited = 3

// inherit gives files to the process that cmd starts.
func inherit(cmd *exec.Cmd, files ...*os.File) error {
	cmd.ExtraFiles = files
	return nil
}

// inherited returns the n files that this process was given. Processes that it starts do not get them.
func inherited(n int) (files []*os.File, err error) {
	for fd := firstInherited; fd < firstInherited+n; fd++ {
		var st syscall.Stat_t
		if err := syscall.Fstat(fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			return nil, errNoLink
		}
		syscall.CloseOnExec(fd)
		files = append(files, os.NewFile(uintptr(fd), "link"))
	}
	return files, nil
}

// errNoLink says that a session's process was started by hand.
var errNoLink = errors.New("this command is for `arrayrepl kernel`, which starts it")
