package simgpu

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// linesFrom is the address of the first buffer of lines: far above those of the heap.
const linesFrom = 1 << 56

// linesBuffer is memory of which kernels bring in lines: no memory of the GPU's own.
type linesBuffer struct {
	gpu  *GPU
	addr uint64
	size int
	gone atomic.Bool

	shift uint
	timer trace.LineTimer // nil where nobody says how long lines take
	apart bool            // threads of a warp ask for a line each by itself
}

// timedLines are lines of which somebody says how long they would take to come.
type timedLines interface {
	LineTimer() trace.LineTimer // nil where nobody does
}

// CannotPage is nil; see device.Pager.
func (g *GPU) CannotPage() error { return nil }

// MapLines makes a buffer of lines that kernels bring in. Where the lines have a timer, warps wait for them (see
// linewait.go); else accesses are timed as those of the GPU's memory. A GPU with [Check], which computes launches
// twice, has none.
func (g *GPU) MapLines(lines device.Lines, readOnly bool) (device.Buffer, error) {
	switch {
	case g.isClosed():
		return nil, fmt.Errorf("%s: %w", g.id, errClosed)
	case g.check:
		return nil, fmt.Errorf("%s computes each launch twice, and kernels that change a file cannot", g.id)
	}
	size := uint64(lines.Bytes())
	b := &linesBuffer{gpu: g, addr: g.lines.Add(size+2*allocUnit) - size - 2*allocUnit + linesFrom, size: int(size)}
	b.addr = (b.addr + allocUnit - 1) / allocUnit * allocUnit
	if size > 0 {
		b.shift, b.apart = lines.LineShift(), !lines.Coalesces()
		if t, ok := lines.(timedLines); ok {
			b.timer = t.LineTimer()
		}
		g.enqueue(&operation{run: func() {
			g.memory.MapLines(b.addr, size, lines, readOnly)
			g.files = append(g.files, b)
		}})
	}
	return b, nil
}

func (b *linesBuffer) Bytes() int   { return b.size }
func (b *linesBuffer) Addr() uint64 { return b.addr }

// Free takes the buffer away after the work that is queued.
func (b *linesBuffer) Free() error {
	if b.gone.Swap(true) {
		return fmt.Errorf("%s: the buffer at %#x was freed before", b.gpu.id, b.addr)
	}
	b.gpu.enqueue(&operation{run: func() {
		b.gpu.memory.Unmap(b.addr)
		b.gpu.files = slices.DeleteFunc(b.gpu.files, func(f *linesBuffer) bool { return f == b })
	}})
	return nil
}
