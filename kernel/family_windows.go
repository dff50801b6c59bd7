package kernel

import (
	"fmt"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The session's process and all that cells start are in a job: Windows ends them when the last handle of it is closed,
// which the kernel has.

// foundFamily does nothing: a process gets its job when it has started.
func foundFamily(*exec.Cmd) {}

// family returns what ends all that a process has started.
func family(cmd *exec.Cmd) (end func(), err error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return func() {}, fmt.Errorf("CreateJobObject: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	var process windows.Handle
	if err == nil {
		process, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	}
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		windows.CloseHandle(process)
	}
	if err != nil {
		windows.CloseHandle(job)
		return func() {}, fmt.Errorf("a job for the session's process: %w", err)
	}
	return func() { windows.CloseHandle(job) }, nil
}

// endFamily does nothing: the job ends.
func endFamily() {}
