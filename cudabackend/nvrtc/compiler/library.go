//go:build !nocuda && (linux || darwin || freebsd)

package compiler

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library holds NVRTC's functions.
type library struct {
	path           string
	version        func(major, minor *int32) int32
	createProgram  func(prog *uintptr, source, name string, headers int32, texts, names unsafe.Pointer) int32
	compileProgram func(prog uintptr, n int32, options unsafe.Pointer) int32
	logSize        func(prog uintptr, size *uint64) int32
	log            func(prog uintptr, text *byte) int32
	ptxSize        func(prog uintptr, size *uint64) int32
	ptx            func(prog uintptr, text *byte) int32
	destroy        func(prog *uintptr) int32
	errorString    func(code int32) string
}

// names are the library's, newest first.
var names = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}

// loadFrom opens the first of the files that is the library. Its error says what is needed, and what is wrong with
// files that are there.
func loadFrom(paths []string) (*library, error) {
	runtime.LockOSThread() // the text of a failure is kept for the thread that it was on
	defer runtime.UnlockOSThread()
	var errs []error
	for _, path := range paths {
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			if strings.Contains(path, "/") {
				errs = append(errs, err)
			}
			continue
		}
		l := &library{path: path}
		if err := l.bind(handle); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
			continue
		}
		return l, nil
	}
	return nil, errors.Join(append([]error{errors.New("CUDA C needs NVIDIA's runtime compiler, whose library (libnvrtc) was not found: " +
		"pip install nvidia-cuda-nvrtc-cu12 in the Python environment that ARRAYREPL_PYTHON or PATH names, or set CUDA_HOME to a CUDA toolkit")}, errs...)...)
}

func (l *library) bind(handle uintptr) error {
	for name, f := range map[string]any{
		"nvrtcVersion": &l.version, "nvrtcCreateProgram": &l.createProgram, "nvrtcCompileProgram": &l.compileProgram,
		"nvrtcGetProgramLogSize": &l.logSize, "nvrtcGetProgramLog": &l.log, "nvrtcGetPTXSize": &l.ptxSize, "nvrtcGetPTX": &l.ptx,
		"nvrtcDestroyProgram": &l.destroy, "nvrtcGetErrorString": &l.errorString,
	} {
		symbol, err := purego.Dlsym(handle, name) // RegisterFunc would panic
		if err != nil {
			return err
		}
		purego.RegisterFunc(f, symbol)
	}
	return nil
}

// what returns the version of the library.
func (l *library) what() (string, error) {
	var major, minor int32
	if code := l.version(&major, &minor); code != 0 {
		return "", errors.New("NVRTC: " + l.errorString(code))
	}
	return fmt.Sprintf("%d.%d", major, minor), nil
}

// compile compiles in this process.
func (l *library) compile(r request) (out reply) {
	var prog uintptr
	if code := l.createProgram(&prog, r.Source, r.Name, 0, nil, nil); code != 0 {
		return reply{Err: "NVRTC: " + l.errorString(code)}
	}
	defer l.destroy(&prog)
	flags := cStrings(r.Flags)
	if code := l.compileProgram(prog, int32(len(flags.pointers)), flags.first()); code != 0 {
		log, err := text(l.logSize, l.log, prog)
		if err != nil || strings.TrimSpace(log) == "" {
			log = l.errorString(code)
		}
		return reply{Log: log}
	}
	ptx, err := text(l.ptxSize, l.ptx, prog)
	if err != nil {
		return reply{Err: "NVRTC gives no PTX: " + err.Error()}
	}
	return reply{PTX: ptx}
}

// text fetches a string of NVRTC, whose size includes the zero at its end.
func text(size func(uintptr, *uint64) int32, get func(uintptr, *byte) int32, prog uintptr) (string, error) {
	var n uint64
	if code := size(prog, &n); code != 0 || n == 0 {
		return "", fmt.Errorf("error %d", code)
	}
	buf := make([]byte, n)
	if code := get(prog, &buf[0]); code != 0 {
		return "", fmt.Errorf("error %d", code)
	}
	return strings.TrimRight(string(buf), "\x00"), nil
}

// strs is an array of C strings. The memory is Go's, which does not move.
type strs struct {
	bytes    [][]byte
	pointers []*byte
}

func cStrings(list []string) *strs {
	s := &strs{}
	for _, x := range list {
		b := append(slices.Clone([]byte(x)), 0)
		s.bytes = append(s.bytes, b)
		s.pointers = append(s.pointers, &b[0])
	}
	return s
}

func (s *strs) first() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s.pointers)) }
