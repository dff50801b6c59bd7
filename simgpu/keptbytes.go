package simgpu

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// This file counts what a recording keeps of a launch: not to the byte, but all that grows with the launch or the
// kernel.

func (b *blockTrace) bytes() int64 {
	return int64(unsafe.Sizeof(*b)) + int64(cap(b.packed)+cap(b.parted)) + 8 // its place in a list
}

func (s *shapes) bytes() (n int64) {
	n = int64(len(s.byOp)+len(s.rules)) * 8
	for i := range s.byOp {
		if list := s.byOp[i].Load(); list != nil {
			for _, sh := range *list {
				n += int64(unsafe.Sizeof(*sh)) + int64(cap(sh.offsets))*4 + 8
			}
		}
		if list := s.rules[i].Load(); list != nil {
			for _, p := range *list {
				n += int64(unsafe.Sizeof(*p)) + int64(cap(p.warps))*int64(unsafe.Sizeof(patternWarp{})) + 8
			}
		}
	}
	return n
}

func (c *code) bytes() int64 {
	n := len(c.lines) * int(unsafe.Sizeof(trace.Line{})+unsafe.Sizeof(lineCount{}))
	for i := range c.blocks {
		b := &c.blocks[i]
		n += int(unsafe.Sizeof(*b)) + cap(b.instrs)*int(unsafe.Sizeof(instr{})) + cap(b.memory)*int(unsafe.Sizeof(memoryOp{}))
	}
	return int64(n)
}

// bytes leaves out the traces.
func (c *collector) bytes() int64 {
	return int64(len(c.lengths))*int64(unsafe.Sizeof(blockLength{})) + c.touched.bytes()
}

func (f *footprint) bytes() (n int64) {
	f.pages.Range(func(_, page any) bool {
		p := page.(*footprintPage)
		n += int64(unsafe.Sizeof(*p))
		for i := range p.times {
			if times := p.times[i].Load(); times != nil {
				n += int64(unsafe.Sizeof(*times))
			}
		}
		return true
	})
	return n
}
