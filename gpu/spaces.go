package gpu

import (
	"errors"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Spaces says which memories a launch would use, for viz.Spaces to draw: the registers and local memory of a thread,
// shared arrays of a block, tables in constant memory, slices in global memory, variables of the device, managed
// memory; how many bytes of each, how many there are, and how long they live. It launches nothing, so buffers of
// streams can be among the arguments. Registers and local memory are those of the kernel as the device in use compiles
// it; they are left out where it does not say, as on the CPU.
//
// It panics with *Error when the kernel cannot be compiled or the arguments do not fit.
//
// For example:
//
//	viz.Spaces(gpu.Spaces(blur, gpu.Blocks(n, 256), 256, in, out))
func Spaces(kernel any, grid, block any, args ...any) *trace.Spaces {
	l, err := newLaunch(kernel, grid, block, args)
	if err != nil {
		panic(err)
	}
	s, err := l.spaces(args)
	if err != nil {
		panic(&Error{l.f.name(), err})
	}
	return s
}

func (l *launch) spaces(args []any) (*trace.Spaces, error) {
	if l.f.f == nil {
		return nil, errors.New("gpu.Spaces is for kernels in Go")
	}
	k, err := l.f.f.Kernel(gosrc.Options{Unchecked: l.option.unchecked})
	if err != nil {
		return nil, err
	}
	l.shown = true
	c, err := l.call()
	if err != nil {
		return nil, err
	}
	on := lazy.Runtime().InUse()
	if l.option.on != nil {
		if on, err = lazy.Runtime().Named(l.option.on...); err != nil {
			return nil, err
		}
	}
	size := func(d kir.Dim3) [3]int { return [3]int{d.X, d.Y, d.Z} }
	out := &trace.Spaces{Kernel: l.f.name(), Device: on[0].ID(), Grid: size(l.grid), Block: size(l.block)}
	blocks := int64(l.grid.Count())
	threads := blocks * int64(l.block.Count())
	add := func(memory, name string, bytes int, copies int64, per string, life trace.Life, note string) {
		if bytes > 0 {
			out.List = append(out.List, trace.Space{Memory: memory, Name: name, Bytes: int64(bytes), Copies: copies, Per: per, Life: life, Note: note})
		}
	}
	if x, ok := on[0].(device.Lister); ok {
		registers, local, err := x.Footprint(c.Func)
		if err != nil {
			return nil, err
		}
		add("registers", fmt.Sprintf("%d of 32 bits", registers), 4*registers, threads, "thread", trace.ThreadLife, "on the SM; the thread's own")
		add("local", "arrays and spills", local, threads, "thread", trace.ThreadLife, "in DRAM, through the caches; the thread's own")
	}
	for _, s := range c.Func.Shared {
		bytes := s.Bytes()
		if s.Len == 0 {
			bytes = c.SharedBytes
		}
		add("shared", s.Name, bytes, blocks, "block", trace.BlockLife, "on the SM; all threads of the block")
	}
	add("constant", "parameters", c.Func.ParamBytes(), 1, "launch", trace.LaunchLife, "in DRAM, through the constant cache; all threads read them")
	for _, t := range c.Func.Const {
		add("constant", t.Name, t.Bytes(), 1, "device", trace.ProgramLife, "in DRAM, through the constant cache; all threads read it")
	}
	for i := range k.Params {
		for _, leaf := range k.Params[i].Leaves {
			if !leaf.IsSlice() {
				continue
			}
			a := c.Args[leaf.First]
			memory, life, note := "global", trace.ProgramLife, "in DRAM, through L2; all threads of all launches, and copies from the host"
			switch {
			case a.Array != nil:
			case a.Memory != nil:
				if isManaged(args, a.Memory) {
					memory, note = "managed", "in DRAM or in the host's memory, page by page; all launches and the host"
				}
			default:
				life, note = trace.LaunchLife, "in DRAM, a copy of a Go slice that is copied back when the launch is over"
			}
			add(memory, leaf.Name, leaf.ElemBytes*int(c.Args[leaf.First+1].Bits), 1, "device", life, note)
		}
	}
	for _, v := range k.Variables {
		if isTable(c.Func, v.First) {
			continue
		}
		add("global", v.Name+", a variable", v.Bytes, 1, "device", trace.ProgramLife, "in DRAM, through L2; all threads of all launches, gpu.CopyTo and gpu.CopyFrom")
	}
	return out, nil
}

// isTable reports whether the variable that is parameter n of a kernel is in constant memory.
func isTable(f *kir.Func, n int) bool {
	for _, t := range f.Const {
		if t.From == n+1 {
			return true
		}
	}
	return false
}

// isManaged reports whether memory is that of managed memory among the arguments of a launch.
func isManaged(args []any, memory any) bool {
	for _, a := range args {
		if m, ok := a.(*ManagedBuffer); ok && m != nil && any(m.Buffer) == memory {
			return true
		}
	}
	return false
}
