package nvrtc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc/compiler"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// Options say how CUDA C is compiled.
type Options struct {
	Name     string   // of the source, in messages: "cell.cu" if empty
	Target   int      // compute capability: 75 for sm_75; 0 means 75
	FastMath bool     // as nvcc's --use_fast_math; without it products and sums are not contracted, and denormals stay
	Flags    []string // further options of NVRTC: "-DN=256"
	Poll     func()   // called by the caller's goroutine while the compiler runs; a panic of it ends that. May be nil
}

// CompileError is the error of a source that NVRTC does not compile.
type CompileError struct {
	Log string // NVRTC's messages, with the lines of the source
}

// Error returns the first 30 lines of the messages, and the beginning of each: one wrong macro can make hundreds.
func (e *CompileError) Error() string {
	lines := strings.Split(strings.TrimSpace(e.Log), "\n")
	for i, l := range lines {
		lines[i] = brief.Line(l, lineOfError)
	}
	const most = 30
	if n := len(lines); n > most+1 {
		lines = append(lines[:most:most], fmt.Sprintf("… and %d lines more", n-most))
	}
	return "CUDA C: " + strings.Join(lines, "\n")
}

func (o Options) name() string {
	if o.Name == "" {
		return "cell.cu"
	}
	return o.Name
}

func (o Options) flags() []string {
	target := o.Target
	if target == 0 {
		target = 75
	}
	flags := []string{fmt.Sprintf("--gpu-architecture=compute_%d", target), "-lineinfo", "--std=c++17"}
	if o.FastMath {
		flags = append(flags, "--use_fast_math")
	} else {
		flags = append(flags, "--fmad=false")
	}
	return append(flags, o.Flags...)
}

// lineOfError is how many bytes of a line of messages are shown.
const lineOfError = 300

// Version returns the version of NVRTC and the path of its library.
func Version() (version, path string, err error) { return compiler.Version() }

// Compile compiles CUDA C to PTX, in a process of its own: a source that crashes the compiler is an error. The error is
// a *CompileError where the source is wrong.
func Compile(source string, o Options) (string, error) {
	source = strings.TrimPrefix(source, "\ufeff") // as editors of other systems write it
	name := o.name()
	for _, s := range slices.Concat([]string{source, name}, o.Flags) {
		if i := strings.IndexByte(s, 0); i >= 0 { // the end of a text, in C
			return "", fmt.Errorf("CUDA C: %s(%d): there is a zero byte", name, 1+strings.Count(s[:i], "\n"))
		}
	}
	if !utf8.ValidString(source) {
		for i, r := range source {
			if r == utf8.RuneError && !strings.HasPrefix(source[i:], "\ufffd") {
				return "", fmt.Errorf("CUDA C: %s(%d): the text is not UTF-8", name, 1+strings.Count(source[:i], "\n"))
			}
		}
	}
	text, log, err := compiler.Compile(name, source, o.flags(), o.Poll)
	if err == nil && log != "" {
		err = &CompileError{log}
	}
	return text, err
}

// Kernels compiles CUDA C and returns its __global__ functions as kernels, under the names that they have in the
// source. Addresses, floats and integers mean what they mean in PTX; see package ptx for what it does not read.
func Kernels(source string, o Options) ([]*kir.Func, error) {
	text, err := Compile(source, o)
	if err != nil {
		return nil, notSupported(source, err)
	}
	fs, err := ptx.Parse(text)
	var at *ptx.Error
	if errors.As(err, &at) && at.Pos.Line > 0 && strings.HasSuffix(at.Msg, "not supported") {
		line := strings.TrimSpace(ptx.LineOf(source, kir.Pos{File: o.name(), Line: at.Pos.Line}, o.name()))
		return nil, fmt.Errorf("CUDA C: %s(%d): %s: %s", o.name(), at.Pos.Line, line, at.Msg)
	}
	if err != nil {
		return nil, fmt.Errorf("CUDA C was compiled, but its PTX cannot be read: %w", err)
	}
	name := o.name()
	for _, f := range fs {
		f.Name = sourceName(f.Name)
		f.Source = func(p kir.Pos) string { return ptx.LineOf(source, p, name) }
	}
	return fs, nil
}

// headers are those of CUDA's toolkit that programs include and NVRTC does not bring, with what to write instead.
var headers = map[string]string{
	"cooperative_groups.h": "write __syncthreads(), __syncwarp() and __shfl_down_sync() instead; for groups of a whole grid write the kernel in Go, with gpu.SyncGrid in a gpu.LaunchCooperative",
	"mma.h":                "tensor cores are not supported: write the product with float",
	"cuda_pipeline.h":      "asynchronous copies are not supported: copy by the threads, and __syncthreads()",
}

var include = lazyregexp.New(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]`)

// notSupported says of an error of the compiler that the source includes a header, or has a texture reference, that
// kernels here cannot have.
func notSupported(source string, err error) error {
	var c *CompileError
	if !errors.As(err, &c) {
		return err
	}
	for _, m := range include.FindAllStringSubmatchIndex(source, -1) {
		name := source[m[2]:m[3]]
		base, _, _ := strings.Cut(strings.TrimSuffix(name, ".h"), "/")
		if what := headers[base+".h"]; what != "" && strings.Contains(c.Log, `"`+name+`"`) {
			return fmt.Errorf("CUDA C: line %d: #include <%s> is not supported: %s", 1+strings.Count(source[:m[2]], "\n"), name, what)
		}
	}
	if i := strings.Index(source, "texture<"); i >= 0 && strings.Contains(c.Log, "texture is not a template") {
		return fmt.Errorf("CUDA C: line %d: texture<…> is not supported: pass a pointer, and read its elements", 1+strings.Count(source[:i], "\n"))
	}
	return err
}

// sourceName takes the name out of one that C++ has mangled: _Z5saxpyfPKfPfi, _ZN2ns1kEv. Others stay.
func sourceName(s string) string {
	rest, ok := strings.CutPrefix(s, "_Z")
	if !ok {
		return s
	}
	rest = strings.TrimPrefix(rest, "N")
	name := ""
	for {
		n, digits := 0, 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' && n < 1000 {
			n = n*10 + int(rest[digits]-'0')
			digits++
		}
		if digits == 0 || digits+n > len(rest) {
			break
		}
		name, rest = rest[digits:digits+n], rest[digits+n:]
	}
	if name == "" {
		return s
	}
	return name
}
