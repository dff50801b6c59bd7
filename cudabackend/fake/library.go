//go:build !nocuda && linux

package fake

import (
	"bytes"
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/paging"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// stateVariable names the file through which processes share what tests set.
const stateVariable = "ARRAYREPL_FAKE_STATE"

//go:embed c/driver.c c/libraries.c
var sources embed.FS

// Start builds the library in dir, loads it, sets Variable to it, and resets it to one device of 64 MB. Its error is
// ErrNone where that cannot be.
func Start(dir string) (*Driver, error) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return nil, fmt.Errorf("%w: it needs a C compiler: %w", ErrNone, err)
	}
	library := filepath.Join(dir, "libcuda.so.1")
	if err := build(compiler, "driver.c", library); err != nil {
		return nil, err
	}
	if err := os.Setenv(stateVariable, filepath.Join(dir, "state")); err != nil {
		return nil, err
	}
	d, err := load(library)
	if err != nil {
		return nil, err
	}
	d.Reset(1, 64<<20, 12040, 1)
	return d, os.Setenv(Variable, library)
}

// Libraries builds what stands for cuBLAS, cuSOLVER and cuFFT in dir, whose name is for cudabackend.LibrariesVariable.
func Libraries(dir string) error {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return fmt.Errorf("%w: it needs a C compiler: %w", ErrNone, err)
	}
	first := filepath.Join(dir, "libcublas.so.12")
	if err := build(compiler, "libraries.c", first); err != nil {
		return err
	}
	for _, name := range []string{"libcusolver.so.11", "libcufft.so.11"} { // one file has all their functions
		if err := os.Symlink(first, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// build compiles one of the sources to a library.
func build(compiler, source, library string) error {
	text, err := sources.ReadFile("c/" + source)
	if err != nil {
		return err
	}
	file := filepath.Join(filepath.Dir(library), source)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	if out, err := exec.Command(compiler, "-std=gnu11", "-O1", "-shared", "-fPIC", "-o", library, file, "-lpthread", "-lm").CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", source, err, out)
	}
	return nil
}

// Attach loads the library that another process has built, under the name that it has left in Variable.
func Attach() error {
	_, err := load(os.Getenv(Variable))
	return err
}

// load loads a library and gives it what computes kernels.
func load(library string) (*Driver, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	d := &Driver{}
	for name, f := range map[string]any{"fake_reset": &d.Reset, "fake_fail": &d.Fail, "fake_used": &d.Used, "fake_left": &d.Left, "fake_capability": &d.Capability} {
		purego.RegisterLibFunc(f, handle, name)
	}
	var begin func()
	purego.RegisterLibFunc(&begin, handle, "fake_begin")
	begin()
	var engine func(run, compile uintptr)
	purego.RegisterLibFunc(&engine, handle, "fake_engine")
	engine(purego.NewCallback(run), purego.NewCallback(compile))
	return d, nil
}

// launch is the struct of c/driver.c.
type launch struct {
	ptx, name   *byte
	grid, block [3]uint32
	shared      uint32
	params      *byte
	size        uint64
	spans       *uint64
	nspans      uint64
	record      uintptr
	tables      *table
	ntables     uint64
	mapped      *uint64
	nmapped     uint64
	done        int32
	result      int32
}

// running is what run returns for a kernel that goes on.
const running = -1

// table is the struct of c/driver.c.
type table struct {
	_          [40]byte // the name
	offset, at uint64
	_          uint64 // the bytes
}

// program is a kernel that was read from PTX.
type program struct {
	*cpu.Program
	err   error
	sites []int // the numbers of its checks, in the text's order
}

var programs struct {
	sync.Mutex
	read map[string]*program
}

var checkCall = regexp.MustCompile(`call(?:\.uni)? arrayrepl_check, \(\d+, (\d+),`)

// read returns a text's kernel of the given name.
func read(text, name string) *program {
	programs.Lock()
	defer programs.Unlock()
	key := name + "\n" + text
	if p := programs.read[key]; p != nil {
		return p
	}
	p := &program{}
	fs, err := ptx.Parse(text)
	p.err = err
	for _, f := range fs {
		if f.Name == name || name == "" {
			p.Program, p.err = cpu.Compile(f)
		}
	}
	for _, m := range checkCall.FindAllStringSubmatch(text, -1) {
		site, _ := strconv.Atoi(m[1])
		p.sites = append(p.sites, site)
	}
	if programs.read == nil {
		programs.read = map[string]*program{}
	}
	programs.read[key] = p
	return p
}

// compile is the driver's compiler: it only reads.
func compile(text, log *byte, size uint64) int32 {
	if p := read(str(text), ""); p.err != nil {
		var at *ptx.Error
		line := 0
		if errors.As(p.err, &at) {
			line = at.Line
		}
		copy(unsafe.Slice(log, size), fmt.Sprintf("ptxas application ptx input, line %d; error   : %v\n\x00", line, p.err))
		return 218
	}
	return 0
}

// run executes a launch.
func run(l *launch) int32 {
	p := read(str(l.ptx), str(l.name))
	if p.err != nil || p.Program == nil {
		fmt.Fprintln(os.Stderr, "fake driver:", p.err)
		return 719
	}
	mem := cpu.NewMemory()
	spans := unsafe.Slice(l.spans, 2*l.nspans)
	for i := 0; i < len(spans); i += 2 {
		mem.Map(spans[i], unsafe.Slice((*byte)(pointer(uintptr(spans[i]))), spans[i+1]))
	}
	pinned := unsafe.Slice(l.mapped, 3*l.nmapped)
	for i := 0; i < len(pinned); i += 3 {
		mem.Map(pinned[i], unsafe.Slice((*byte)(pointer(uintptr(pinned[i+1]))), pinned[i+2]))
	}
	params := bytes.Clone(unsafe.Slice(l.params, l.size))
	for _, t := range unsafe.Slice(l.tables, l.ntables) { // what was copied there is what counts
		binary.LittleEndian.PutUint64(params[t.offset:], t.at)
	}
	what := cpu.Launch{Grid: dim(l.grid), Block: dim(l.block), SharedBytes: int(l.shared), Params: params, Memory: mem, Output: os.Stdout}
	if strings.Contains(str(l.ptx), paging.Parameter) { // it waits for what other streams copy, and for the host
		go func() {
			l.result = p.run(what, l.record)
			atomic.StoreInt32(&l.done, 1)
		}()
		return running
	}
	return p.run(what, l.record)
}

// run computes a kernel and returns its result for the driver.
func (p *program) run(l cpu.Launch, record uintptr) int32 {
	_, err := p.Run(context.Background(), l)
	var t *kir.Trap
	switch {
	case err == nil:
		return 0
	case errors.As(err, &t) && t.Value.Op == kir.OpCheck && record != 0:
		p.leave(t, unsafe.Slice((*byte)(pointer(record)), 96))
		return 0
	case t != nil:
		return 700
	}
	fmt.Fprintln(os.Stderr, "fake driver:", err)
	return 719
}

// leave writes the record of a failed check, unless there is one.
func (p *program) leave(t *kir.Trap, record []byte) {
	if binary.LittleEndian.Uint64(record) != 0 {
		return
	}
	n := 0
	for _, blk := range p.Func().Blocks {
		for _, v := range blk.Values {
			if v == t.Value {
				t.Value = nil
			}
			if t.Value != nil && v.Op == kir.OpCheck {
				n++
			}
		}
	}
	for i, x := range []int{1, 0, p.sites[n], int(t.Figures[0]), int(t.Figures[1]), t.Block.X, t.Block.Y, t.Block.Z, t.Thread.X, t.Thread.Y, t.Thread.Z} {
		binary.LittleEndian.PutUint64(record[8*i:], uint64(x))
	}
}

func dim(d [3]uint32) kir.Dim3 { return kir.Dim3{X: int(d[0]), Y: int(d[1]), Z: int(d[2])} }

// pointer makes an address of the library's memory a pointer.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

func str(p *byte) string {
	var s strings.Builder
	for ; *p != 0; p = (*byte)(unsafe.Add(unsafe.Pointer(p), 1)) {
		s.WriteByte(*p)
	}
	return s.String()
}
