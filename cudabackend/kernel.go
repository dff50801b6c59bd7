package cudabackend

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// kernel is a kernel that a GPU has loaded.
type kernel struct {
	gpu       *GPU
	name      string
	params    int       // bytes
	f         *kir.Func // as it was printed; nil in a worker
	function  uintptr
	record    uintptr      // device address of the record of a failed check; 0 for a kernel without checks
	unread    atomic.Int32 // launches whose record nobody has looked at yet
	registers int          // per thread
	shared    int          // bytes per block, static
	dynamic   int          // bytes that a launch may add, as the function is set now

	constants sync.Mutex
	late      []late  // tables of its constant memory that launches fill
	filled    uintptr // an event: the last launch is done with what it has filled; 0 before there was one
}

// late is a table in a module's constant memory that launches fill.
type late struct {
	ptx.Late
	at uintptr
}

// fill queues the copies to the kernel's constant memory that come before a launch. All streams have the same constant
// memory, so that launches of the kernel follow one another. Called in the context, with k.constants held until
// launched is called, behind the launch.
func (k *kernel) fill(s *stream, params []byte) (launched func() error, err error) {
	g := k.gpu
	if k.filled == 0 {
		if k.filled, err = g.event(); err != nil {
			return nil, err
		}
	} else if err := g.driver.must(fnStreamWaitEvent, s.handle, k.filled, 0); err != nil {
		return nil, err
	}
	for _, l := range k.late {
		from := uintptr(binary.LittleEndian.Uint64(params[l.Offset:]))
		if err := g.driver.must(fnMemcpyDtoDAsync, l.at, from, uintptr(l.Bytes), s.handle); err != nil {
			return nil, err
		}
	}
	return func() error { return g.driver.must(fnEventRecord, k.filled, s.handle) }, nil
}

// Name returns the kernel's name.
func (k *kernel) Name() string { return k.name }

// targets are the compute capabilities that PTX is printed for: code for one runs on all later cards.
var targets = []int{120, 100, 90, 89, 86, 80, 75, 70, 61, 60, 52, 50}

// Load prints f as PTX, which the driver compiles. Its error has the compiler's log.
func (g *GPU) Load(f *kir.Func) (device.Kernel, error) {
	f, text, err := printed(f, g.ComputeCapability())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ID(), err)
	}
	return g.loadText(f, text)
}

// loadText loads what was printed of f.
func (g *GPU) loadText(f *kir.Func, text string) (device.Kernel, error) {
	g.pages.quiet()
	k := &kernel{gpu: g, name: f.Name, params: f.ParamBytes(), f: f}
	if err := g.do(func() error { return k.load(text) }); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", f.Name, err)
	}
	return k, nil
}

// printed returns f as it is printed for a card, and the PTX.
func printed(f *kir.Func, capability int) (*kir.Func, string, error) {
	if f.Cooperative() { // cuLaunchCooperativeKernel takes parameters one by one, not as the buffer that launches have here
		return nil, "", fmt.Errorf("kernel %s was not loaded: cooperative launches are not made on cards; launch a kernel for each part between two calls of gpu.SyncGrid", f.Name)
	}
	f = opt.Optimize(f)
	text, err := ptx.Print(ptx.Options{Target: targetFor(capability), Lines: true}, f)
	return f, text, err
}

// targetFor returns the target to print for on a card.
func targetFor(capability int) int {
	if i := slices.IndexFunc(targets, func(t int) bool { return t <= capability }); i >= 0 {
		return targets[i]
	}
	return targets[len(targets)-1]
}

// Options of the driver's compiler (CUjit_option).
const (
	jitErrorLog     = 5
	jitErrorLogSize = 6
	jitLineInfo     = 13
)

// Attributes of functions (CUfunction_attribute).
const (
	funcShared     = 1
	funcRegisters  = 4
	funcMaxDynamic = 8
)

// load compiles PTX and asks what became of it. Called in the context.
func (k *kernel) load(text string) error {
	d := k.gpu.driver
	image := append([]byte(text), 0)
	log := make([]byte, 16<<10)
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(&log[0])
	options := []int32{jitErrorLog, jitErrorLogSize, jitLineInfo}
	values := []uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log)), 1}
	var module uintptr
	r := d.call(fnModuleLoadDataEx, uintptr(unsafe.Pointer(&module)), uintptr(unsafe.Pointer(&image[0])), uintptr(len(options)),
		uintptr(unsafe.Pointer(&options[0])), uintptr(unsafe.Pointer(&values[0])))
	if r != 0 {
		err := d.fail(fnModuleLoadDataEx, r)
		err.Log = explain(cString(&log[0]), text)
		return err
	}
	k.gpu.mu.Lock()
	k.gpu.modules = append(k.gpu.modules, module)
	k.gpu.mu.Unlock()
	name := append([]byte(entry(text)), 0)
	if err := d.must(fnModuleGetFunction, uintptr(unsafe.Pointer(&k.function)), module, uintptr(unsafe.Pointer(&name[0]))); err != nil {
		return err
	}
	if strings.Contains(text, " "+ptx.TrapRecord+"[") {
		name := append([]byte(ptx.TrapRecord), 0)
		var bytes uintptr
		if err := d.must(fnModuleGetGlobal, uintptr(unsafe.Pointer(&k.record)), uintptr(unsafe.Pointer(&bytes)), module, uintptr(unsafe.Pointer(&name[0]))); err != nil {
			return err
		}
	}
	for _, l := range ptx.LateOf(text) {
		name, bytes, t := append([]byte(l.Name), 0), uintptr(0), late{Late: l}
		if err := d.must(fnModuleGetGlobal, uintptr(unsafe.Pointer(&t.at)), uintptr(unsafe.Pointer(&bytes)), module, uintptr(unsafe.Pointer(&name[0]))); err != nil {
			return err
		}
		k.late = append(k.late, t)
	}
	for what, to := range map[uintptr]*int{funcRegisters: &k.registers, funcShared: &k.shared} {
		var x int32
		if err := d.must(fnFuncGetAttribute, uintptr(unsafe.Pointer(&x)), what, k.function); err != nil {
			return err
		}
		*to = int(x)
	}
	return nil
}

// entry returns the name of the only kernel of a text.
func entry(text string) string {
	_, rest, _ := strings.Cut(text, ".entry ")
	name, _, _ := strings.Cut(rest, "(")
	return name
}

// explain adds to a log of the driver's compiler the lines of PTX that it names ("ptxas application ptx input, line 12;
// error : ...").
func explain(log, text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\n")
		out = append(out, line)
		_, rest, ok := strings.Cut(line, ", line ")
		var n int
		if _, err := fmt.Sscanf(rest, "%d", &n); ok && err == nil && n >= 1 && n <= len(lines) {
			out = append(out, "\t"+strings.TrimSpace(lines[n-1]))
			if pos := position(lines[:n], text); pos != "" {
				out = append(out, "\tof "+pos)
			}
		}
	}
	return strings.Join(out, "\n")
}

// position returns the place in the kernel's source that the last of the lines belongs to, by the .loc before it.
func position(lines []string, text string) string {
	for _, line := range slices.Backward(lines) {
		var file, row, col int
		if _, err := fmt.Sscanf(strings.TrimSpace(line), ".loc %d %d %d", &file, &row, &col); err != nil {
			continue
		}
		_, rest, ok := strings.Cut(text, fmt.Sprintf("\n.file %d \"", file))
		if name, _, found := strings.Cut(rest, "\"\n"); ok && found {
			return fmt.Sprintf("%s:%d:%d", name, row, col)
		}
	}
	return ""
}

// LaunchLimit is the error of a launch that is over a limit of the card.
type LaunchLimit struct {
	Kernel, Limit string
	Value, Max    int
}

func (e *LaunchLimit) Error() string {
	return fmt.Sprintf("kernel %s was not launched: %s is %d, this card allows %d", e.Kernel, e.Limit, e.Value, e.Max)
}

// check reports what is wrong with a launch, and lets the function have its dynamic shared memory. Called in the
// context.
func (k *kernel) check(grid, block kir.Dim3, dynamic int, params []byte) error {
	if len(params) != k.params {
		return fmt.Errorf("kernel %s was not launched: its parameters take %d bytes, %d were given", k.name, k.params, len(params))
	}
	if k.f != nil {
		if err := k.f.Fits(grid, block, params); err != nil {
			return err
		}
	}
	props := k.gpu.attrs
	for i, n := range [...]int{grid.X, grid.Y, grid.Z} {
		if limit := [...]int{1<<31 - 1, 65535, 65535}[i]; n <= 0 || n > limit {
			return &LaunchLimit{k.name, "number of blocks of the grid in " + "xyz"[i:i+1], n, limit}
		}
	}
	limit := props[attrMaxThreadsPerBlock]
	for i, n := range [...]int{block.X, block.Y, block.Z} {
		if max := [...]int{limit, limit, 64}[i]; n <= 0 || n > max {
			return &LaunchLimit{k.name, "number of threads of a block in " + "xyz"[i:i+1], n, max}
		}
	}
	if n := block.Count(); n > limit {
		return &LaunchLimit{k.name, "number of threads of a block", n, limit}
	}
	if n, most := k.shared+dynamic, props[attrSharedPerBlockOptIn]; dynamic < 0 || n > most {
		return &LaunchLimit{k.name, "number of bytes of shared memory of a block", n, most}
	}
	const without = 48 << 10 // what a function may have before it is asked for
	k.gpu.mu.Lock()
	defer k.gpu.mu.Unlock()
	if k.shared+dynamic > without && dynamic > k.dynamic {
		if err := k.gpu.driver.must(fnFuncSetAttribute, k.function, funcMaxDynamic, uintptr(dynamic)); err != nil {
			return err
		}
		k.dynamic = dynamic
	}
	return nil
}

// stats returns what is known of a launch without looking inside. Called in the context.
func (k *kernel) stats(grid, block kir.Dim3, dynamic int) (*trace.KernelStats, error) {
	var blocks int32
	if err := k.gpu.driver.must(fnOccupancy, uintptr(unsafe.Pointer(&blocks)), k.function, uintptr(block.Count()), uintptr(dynamic)); err != nil {
		return nil, err
	}
	p := k.gpu.Properties()
	warps := (block.Count() + p.WarpSize - 1) / p.WarpSize
	s := &trace.KernelStats{
		Grid:           [3]int{grid.X, grid.Y, grid.Z},
		Block:          [3]int{block.X, block.Y, block.Z},
		SharedBytes:    k.shared + dynamic,
		Registers:      k.registers,
		WarpSize:       p.WarpSize,
		SMs:            p.SMs,
		ClockHz:        p.ClockHz,
		WarpsPerSM:     p.MaxThreadsPerSM / p.WarpSize,
		ResidentBlocks: int(blocks),
		TotalBlocks:    grid.Count(),
		PeakBandwidth:  p.MemoryBandwidth,
	}
	s.Theoretical = float64(int(blocks)*warps) / float64(s.WarpsPerSM)
	if blocks == 0 {
		return s, errors.New("not even one block fits on an SM: too many registers or too much shared memory")
	}
	return s, nil
}
