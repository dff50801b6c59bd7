package lazy

import (
	"context"
	"encoding/binary"
	"io"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	checks "github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// Check runs a launch on the CPU under the checkers of package check, and returns what they find. It runs on copies of
// what the launch is given, whose elements are computed first: no array changes. The error is about the launch, or the
// running cell's interrupt; it panics as Eval does.
func (Wiring) Check(c *kernelcall.Call[Array], o checks.Options) ([]checks.Finding, error) {
	p, err := cpu.Compile(c.Func)
	if err != nil {
		return nil, err
	}
	params, memory, _ := launchMemory(c)
	var found []checks.Finding
	l := cpu.Launch{Grid: c.Grid, Block: c.Block, SharedBytes: c.SharedBytes, Params: params, Memory: memory}
	err = watched(l, func(ctx context.Context, l cpu.Launch) error {
		found, err = checks.Run(ctx, p, l, o)
		return err
	})
	return found, err
}

// watched calls run with the launch, and says where it is when that takes long or is interrupted.
func watched(l cpu.Launch, run func(ctx context.Context, l cpu.Launch) error) error {
	rt := runtime()
	ctx, watch := rt.CellContext(), new(cpu.Watch)
	l.Watch = watch
	where := func() string {
		if at, ok := watch.Where(); ok {
			return at.String()
		}
		return ""
	}
	return rt.Watch(ctx, where, func() error { return run(ctx, l) })
}

// Listen runs the launch once, on copies of what it is called with and one block after the other, while what record
// returns for the packed parameters hears of it. The error may be one of the kernel itself.
func (Wiring) Listen(c *kernelcall.Call[Array], record func(params []byte) func(cta int) cpu.Recorder) error {
	p, err := cpu.Compile(c.Func)
	if err != nil {
		return err
	}
	params, memory, _ := launchMemory(c)
	l := cpu.Launch{Grid: c.Grid, Block: c.Block, SharedBytes: c.SharedBytes, Params: params, Memory: memory,
		Workers: 1, Record: record(params), Output: io.Discard}
	return watched(l, func(ctx context.Context, l cpu.Launch) error {
		_, err := p.Run(ctx, l)
		return err
	})
}

// Record returns the launch on copies of what it is called with, ready to be recorded in so many bytes.
func (Wiring) Record(c *kernelcall.Call[Array], limit int64) (*cpu.Recording, error) {
	params, memory, _ := launchMemory(c)
	return cpu.NewRecording(c.Func, cpu.Launch{Grid: c.Grid, Block: c.Block, SharedBytes: c.SharedBytes, Params: params, Memory: memory}, limit)
}

// Outcome runs the launch once, on copies of what it is called with and its blocks in the given order, and returns what
// it has made of each argument that it may write to, nil of others.
func (Wiring) Outcome(c *kernelcall.Call[Array], order []int) ([][]byte, error) {
	p, err := cpu.Compile(c.Func)
	if err != nil {
		return nil, err
	}
	params, memory, mapped := launchMemory(c)
	l := cpu.Launch{Grid: c.Grid, Block: c.Block, SharedBytes: c.SharedBytes, Params: params, Memory: memory, Order: order, Output: io.Discard}
	err = watched(l, func(ctx context.Context, l cpu.Launch) error {
		_, err := p.Run(ctx, l)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(c.Args))
	for i, a := range c.Args {
		n := len(a.Bytes)
		if a.Array != nil {
			n = a.Array.Size() * a.Array.dtype.Size()
		}
		if n > 0 && a.Writes {
			out[i] = mapped(binary.LittleEndian.Uint64(params[c.Func.Params[i].Offset:]), n)
		}
	}
	return out, nil
}

// launchMemory returns the packed parameters of the launch, the memory that they point to, and what n bytes of that
// hold. Arrays that share their
// elements with one that the kernel writes share them here too, and so do Go slices that overlap.
func launchMemory(c *kernelCall) (params []byte, memory *cpu.Memory, bytes func(addr uint64, n int) []byte) {
	memory = cpu.NewMemory()
	pieces := map[uint64][]byte{} // by their addresses
	bytes = func(addr uint64, n int) []byte {
		for base, b := range pieces {
			if addr >= base && addr-base < uint64(len(b)) {
				return b[addr-base:][:n]
			}
		}
		return nil
	}
	next := uint64(1 << 32)
	mapped := func(b []byte) uint64 {
		const gap = 1 << 20 // so that a kernel that runs over the end of one does not reach the next
		at := next
		words := make([]uint64, (len(b)+7)/8) // aligned for elements of any type
		mine := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
		copy(mine, b)
		memory.Map(at, mine)
		pieces[at] = mine
		next += (uint64(len(b))/gap + 2) * gap
		return at
	}
	storages := map[*ref]uint64{} // of what it writes
	for _, a := range c.Args {
		if a.Array == nil || !a.Writes || a.Array.Size() == 0 {
			continue
		}
		check("check "+c.Name, writable(a.Array))
		if _, ok := storages[a.Array.ref]; !ok {
			storages[a.Array.ref] = mapped(a.Array.view().node.whole().Array().Bytes())
		}
	}
	addresses := make([]uint64, len(c.Args)) // of Go slices
	for _, m := range hostMemories(c.Args) {
		base := mapped(m.padded())
		for _, i := range m.args {
			addresses[i] = base + uint64(m.pad()+m.offset(c.Args[i].Bytes))
		}
	}
	params = make([]byte, c.Func.ParamBytes())
	for i, a := range c.Args {
		bits := a.Bits
		switch {
		case a.Array != nil && a.Array.Size() > 0:
			base, shared := storages[a.Array.ref]
			if shared && a.Array.layout.IsContiguous() {
				bits = base + uint64(a.Array.layout.Offset*a.Array.dtype.Size())
			} else {
				bits = mapped(a.Array.Array().Copy().Bytes())
			}
		case len(a.Bytes) > 0:
			bits = addresses[i]
		}
		word, p := binary.LittleEndian.AppendUint64(nil, bits), c.Func.Params[i]
		if a.Raw != nil {
			word = a.Raw
		}
		copy(params[p.Offset:p.Offset+p.Bytes()], word)
	}
	return params, memory, bytes
}
