package blas

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// library is an open library: the addresses of its functions, in Fortran's convention, and the size of its ints.
type library struct {
	address map[string]uintptr
	wide    bool // ints of 64 bits
}

// spellings are the ways in which libraries spell the name of a function. SciPy's OpenBLAS, which is inside of NumPy
// too, has a prefix.
var spellings = []struct {
	format string
	wide   bool
}{{"%s_", false}, {"scipy_%s_", false}, {"%s_64_", true}, {"scipy_%s_64_", true}, {"%s64_", true}}

// bind finds the functions of a library.
func bind(find func(name string) uintptr) (*library, error) {
	for _, s := range spellings {
		if find(fmt.Sprintf(s.format, "dgemm")) == 0 {
			continue
		}
		l := &library{address: map[string]uintptr{}, wide: s.wide}
		for _, name := range names {
			for _, kind := range []string{"d", "z"} {
				full := strings.Replace(name, "?", kind, 1)
				if l.address[full] = find(fmt.Sprintf(s.format, full)); l.address[full] == 0 {
					return nil, fmt.Errorf("it has no %s; a library with BLAS and LAPACK is needed, as OpenBLAS is", full)
				}
			}
		}
		return l, nil
	}
	return nil, fmt.Errorf("it has no dgemm; a library with BLAS and LAPACK is needed, as OpenBLAS is")
}

// call calls a function, with pointers to all arguments, as Fortran has it. Numbers are written as 64 bits: a library
// with ints of 32 reads the lower ones, which come first on all machines that Go and these libraries share. The result
// is the function's last argument, info.
func (l *library) call(name string, args ...any) (info int) {
	var pins runtime.Pinner
	defer pins.Unpin()
	status := new(int64)
	all := make([]uintptr, 0, len(args)+4)
	letters := 0
	add := func(p unsafe.Pointer) {
		pins.Pin(p)
		all = append(all, uintptr(p))
	}
	for _, arg := range args {
		switch v := arg.(type) {
		case byte:
			letters++
			add(unsafe.Pointer(&[]byte{v}[0]))
		case int:
			add(unsafe.Pointer(&[]int64{int64(v)}[0]))
		case []int64:
			add(unsafe.Pointer(unsafe.SliceData(v)))
		case []float64:
			add(unsafe.Pointer(unsafe.SliceData(v)))
		case []complex128:
			add(unsafe.Pointer(unsafe.SliceData(v)))
		case unsafe.Pointer:
			add(v)
		default:
			panic(fmt.Sprintf("blas: an argument of %T", arg))
		}
	}
	if !strings.HasSuffix(name, "gemm") {
		add(unsafe.Pointer(status))
	}
	// the lengths of the texts, which Fortran's compilers pass last
	for ; letters > 0 && len(all) < mostArguments; letters-- {
		all = append(all, 1)
	}
	invoke(l.address[name], all)
	return int(int32(*status))
}

// ints reads n ints that the library wrote.
func (l *library) ints(from []int64, n int) []int {
	out := make([]int, n)
	for i := range out {
		if l.wide {
			out[i] = int(from[i])
		} else {
			out[i] = int(*(*int32)(unsafe.Add(unsafe.Pointer(&from[0]), 4*i)))
		}
	}
	return out
}
