package gpu

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// mostAccesses is how many accesses [Accesses] keeps: 24 MB.
const mostAccesses = 1 << 20

// Accesses runs a kernel as [Launch] would, once, on the CPU and on copies of its arguments, and returns which thread
// read and wrote which element of its slices and of shared memory, for viz.Accesses to draw. It keeps a million
// accesses; a run that fails, with an index out of range say, gives those before it.
//
// It panics with *Error when the kernel cannot be compiled or the arguments do not fit.
//
// For example:
//
//	viz.Accesses(gpu.Accesses(kernel, 3, 4, make([]float32, 10)))
func Accesses(kernel any, grid, block any, args ...any) *trace.Accesses {
	l, err := newLaunch(kernel, grid, block, args)
	if err != nil {
		panic(err)
	}
	c, err := l.call()
	if err == nil {
		err = l.noBuffers("gpu.Accesses")
	}
	if err != nil {
		panic(&Error{l.f.name(), err})
	}
	size := func(d kir.Dim3) [3]int { return [3]int{d.X, d.Y, d.Z} }
	log := &accessLog{out: &trace.Accesses{Kernel: l.f.name(), Grid: size(l.grid), Block: size(l.block)}}
	err = lazy.Wiring{}.Listen(c, func(params []byte) func(cta int) cpu.Recorder {
		log.find(l.f, c, params)
		return func(cta int) cpu.Recorder { return blockLog{log, int32(cta)} }
	})
	if errors.As(err, new(*kir.Trap)) || errors.As(err, new(*kir.BarrierError)) || errors.As(err, new(*kir.WarpError)) {
		log.out.Failed, err = err.Error(), nil
	}
	if err != nil {
		panic(fmt.Errorf("accesses of kernel %s: %w", l.f.name(), err))
	}
	return log.out
}

// accessLog takes notes of a run.
type accessLog struct {
	out    *trace.Accesses
	places []accessPlace // of out.Arrays
}

// accessPlace is where an array lies, in bytes, and how large an element is.
type accessPlace struct {
	space      kir.Space
	start, end uint64
	elem       uint64
}

func (g *accessLog) add(a trace.Accessed, p accessPlace) {
	a.Len = int((p.end - p.start) / p.elem)
	g.out.Arrays, g.places = append(g.out.Arrays, a), append(g.places, p)
}

// find notes where the kernel's slices and its shared arrays lie.
func (g *accessLog) find(f *Function, c *kernelcall.Call[lazy.Array], params []byte) {
	leaves := map[int]gosrc.Leaf{}
	if f.f != nil {
		k, err := f.f.Kernel(gosrc.Options{})
		if err != nil {
			panic(&Error{f.name(), err})
		}
		for _, p := range k.Params {
			for _, leaf := range p.Leaves {
				leaves[leaf.First] = leaf
			}
		}
	}
	for i, a := range c.Args {
		n := len(a.Bytes)
		if a.Array != nil {
			n = a.Array.Size() * a.Array.DType().Size()
		}
		if n == 0 {
			continue
		}
		elem := leaves[i].ElemBytes
		if elem == 0 { // of a kernel in another language
			elem = a.Array.DType().Size()
		}
		p := c.Func.Params[i]
		start := binary.LittleEndian.Uint64(params[p.Offset:])
		g.add(trace.Accessed{Name: cmp.Or(leaves[i].Name, p.Name)}, accessPlace{kir.Global, start, start + uint64(n), uint64(elem)})
	}
	for _, s := range c.Func.Shared {
		end := s.Offset + s.Bytes()
		if s.Len == 0 {
			end = c.Func.SharedBytes() + c.SharedBytes
		}
		g.add(trace.Accessed{Name: s.Name, Shared: true}, accessPlace{kir.Shared, uint64(s.Offset), uint64(end), uint64(s.Elem.Bytes())})
	}
}

// blockLog hears of one block.
type blockLog struct {
	*accessLog
	cta int32
}

func (blockLog) Step(*kir.Block, []int32) {}
func (blockLog) End()                     {}

func (g blockLog) Access(v *kir.Value, threads []int32, at cpu.Addresses) {
	if v.Space != kir.Global && v.Space != kir.Shared {
		return
	}
	for i, addr := range at.List() {
		if len(g.out.List) == mostAccesses {
			g.out.Cut = true
			return
		}
		for k, p := range g.places {
			if p.space == v.Space && addr >= p.start && addr < p.end {
				g.out.List = append(g.out.List, trace.Access{Block: g.cta, Thread: threads[i], Array: int32(k), Index: int32((addr - p.start) / p.elem),
					Reads: v.Op != kir.OpStore, Writes: v.Op != kir.OpLoad})
				break
			}
		}
	}
}
