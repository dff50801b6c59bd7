package kernel

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// linkEnv tells a session's process the handles that it inherits.
const linkEnv = "ARRAYREPL_LINK"

// inherit gives files to the process that cmd starts.
func inherit(cmd *exec.Cmd, files ...*os.File) error {
	var handles []string
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	for _, f := range files {
		h := syscall.Handle(f.Fd())
		if err := syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return os.NewSyscallError("SetHandleInformation", err)
		}
		cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, h)
		handles = append(handles, strconv.FormatUint(uint64(h), 10))
	}
	cmd.Env = append(cmd.Env, linkEnv+"="+strings.Join(handles, ","))
	return nil
}

// inherited returns the n files that this process was given. Processes that it starts do not get them.
func inherited(n int) (files []*os.File, err error) {
	for h := range strings.SplitSeq(os.Getenv(linkEnv), ",") {
		handle, err := strconv.ParseUint(h, 10, 64)
		if err != nil {
			return nil, errNoLink
		}
		syscall.SetHandleInformation(syscall.Handle(handle), syscall.HANDLE_FLAG_INHERIT, 0)
		files = append(files, os.NewFile(uintptr(handle), "link"))
	}
	os.Unsetenv(linkEnv)
	if len(files) != n {
		return nil, errNoLink
	}
	return files, nil
}

// errNoLink says that a session's process was started by hand.
var errNoLink = errors.New("this command is for `arrayrepl kernel`, which starts it")
