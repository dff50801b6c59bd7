package cudabackend

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Result is a result code of the driver (CUresult). 0 is success.
type Result int32

// The results that the package acts on.
const (
	resultOutOfMemory Result = 2
	resultNotReady    Result = 600
	resultPeerEnabled Result = 704
)

// sticky reports whether nothing works after r in this process: the context is broken and all its memory lost.
func (r Result) sticky() bool {
	switch r {
	case 214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719:
		return true
	}
	return false
}

// remedies say what to do.
var remedies = map[Result]string{
	2:   "free arrays (x = nil), evaluate in smaller pieces, or end other programs that use the GPU",
	34:  "the library is a stub for linking; put the driver's libcuda.so.1 before it in LD_LIBRARY_PATH",
	46:  "another process uses the GPU, which is in exclusive mode: end it, or nvidia-smi -c 0",
	100: "nvidia-smi should list a card; in a container, start it with --gpus all",
	101: "another process uses the GPU, or its number is wrong: see nvidia-smi",
	209: "the kernel has no code for this card",
	218: "this is a fault of arrayrepl's: please report it with the text above",
	221: "reinstall the NVIDIA driver: its compiler for PTX is missing",
	222: "the driver is older than this kernel's PTX: update it",
	700: "a kernel touched memory that is not its own",
	702: "a kernel ran longer than the system allows on a card that drives a display",
	719: "a kernel failed",
	802: "start NVIDIA's fabric manager, which cards with NVSwitch need",
	803: "kernel module and library of the driver differ in version: reboot",
	804: "the card is too old for the compatibility package of CUDA: remove it, or update the driver",
	999: "in a container the device node nvidia-uvm is often missing: run nvidia-modprobe -u, or start it with --gpus all",
}

// Error is a call of the driver that failed.
type Error struct {
	Call   string // "cuModuleLoadDataEx"
	Result Result
	Name   string // "CUDA_ERROR_INVALID_PTX"
	Text   string // what the driver says
	Log    string // of its compiler, may be empty
}

// Is reports whether e says that the device is full.
func (e *Error) Is(target error) bool {
	return target == device.ErrOutOfMemory && e.Result == resultOutOfMemory
}

func (e *Error) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s (%d)", e.Call, e.Name, e.Result)
	if e.Text != "" {
		s.WriteString(": " + e.Text)
	}
	if remedy := remedies[e.Result]; remedy != "" {
		s.WriteString("; " + remedy)
	}
	if e.Log != "" {
		s.WriteString("\n" + e.Log)
	}
	return s.String()
}

// fail returns the error of a call.
func (d *driver) fail(f function, r Result) *Error {
	return &Error{Call: functionNames[f], Result: r, Name: d.say(fnGetErrorName, r, "CUDA error"), Text: d.say(fnGetErrorString, r, "")}
}

// say asks the driver for a text about r.
func (d *driver) say(f function, r Result, otherwise string) string {
	var text *byte
	if d.call(f, uintptr(r), uintptr(unsafe.Pointer(&text))) != 0 || text == nil {
		return otherwise
	}
	return cString(text)
}

// cString copies a string of C.
func cString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
