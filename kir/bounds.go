package kir

import (
	"encoding/binary"
	"fmt"
)

// Bounds are what a kernel's source says of its launches and asks of its compiler, as CUDA's __launch_bounds__,
// __maxnreg__ and --use_fast_math. Zero is nothing said.
type Bounds struct {
	MaxThreads   int    // of a block; a launch with more fails
	Blocks       [3]int // that the grid has at most along each axis; 0 where nothing is known. A launch with more fails
	Threads      [3]int // that the grid has at most along each axis
	MinBlocks    int    // that a multiprocessor should have room for
	Cluster      int    // blocks along x that share their shared memory and have a barrier; 0 is none
	MaxRegisters int    // of a thread; values beyond are kept in local memory, see Spill
	// Unscheduled keeps instructions in the order in which they are written. It is for simulated GPUs alone, whose
	// compilers schedule else (see Schedule): the CPU engine never does, the driver of a card always.
	Unscheduled bool
	// Addresses32 says that the machine's addresses have 32 bits: compute capability 1.x. It is about what instructions
	// and registers are counted.
	Addresses32 bool
	// Cooperative asks for launches whose blocks are all on the device at a time, see Func.Cooperative.
	Cooperative bool
	// Nested says that a kernel asked for the launch; 0 is the host.
	Nested int
	// Compiled says that another compiler made the kernel, of a language in which pointers of different parameters may
	// lead to the same memory: it has done with loops what it does, and what is known of a launch comes too late for
	// it.
	Compiled bool
}

// boundNames are the words for them in the text form.
func (b *Bounds) boundNames() []boundName {
	return []boundName{{"maxthreads", &b.MaxThreads}, {"minblocks", &b.MinBlocks}, {"cluster", &b.Cluster}, {"nested", &b.Nested}, {"maxregisters", &b.MaxRegisters},
		{"blocksx", &b.Blocks[0]}, {"blocksy", &b.Blocks[1]}, {"blocksz", &b.Blocks[2]}, {"threadsx", &b.Threads[0]}, {"threadsy", &b.Threads[1]}, {"threadsz", &b.Threads[2]}}
}

type boundName struct {
	word  string
	value *int
}

// String returns the bounds as the text form has them behind the parameters: " maxthreads 256 compiled unscheduled".
func (b Bounds) String() string {
	s := ""
	for _, n := range b.boundNames() {
		if *n.value != 0 {
			s += fmt.Sprintf(" %s %d", n.word, *n.value)
		}
	}
	if b.Compiled {
		s += " compiled"
	}
	if b.Addresses32 {
		s += " addresses32"
	}
	if b.Cooperative {
		s += " cooperative"
	}
	if b.Unscheduled {
		s += " unscheduled"
	}
	return s
}

// Cooperative reports whether all blocks of a launch must have room on the device at a time: since Bounds says so, or
// since there is a barrier of the whole grid.
func (f *Func) Cooperative() bool {
	if f.Bounds.Cooperative {
		return true
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op == OpGridBarrier {
				return true
			}
		}
	}
	return false
}

// Fits says why a launch is none of those that the kernel was made for, by Bounds.Blocks and Threads and by Least and
// Most of its parameters: nil when it is one.
func (f *Func) Fits(grid, block Dim3, params []byte) error {
	if n := f.Bounds.Cluster; n > 1 && grid.X%n != 0 {
		return fmt.Errorf("kernel %s is launched in clusters of %d blocks along x, and the grid has %d: make it a multiple", f.Name, n, grid.X)
	}
	for axis, n := range [3][2]int{{grid.X, block.X}, {grid.Y, block.Y}, {grid.Z, block.Z}} {
		if most := f.Bounds.Blocks[axis]; most > 0 && n[0] > most {
			return fmt.Errorf("kernel %s was made for grids of up to %d blocks along %c, not %d", f.Name, most, "xyz"[axis], n[0])
		}
		if most := f.Bounds.Threads[axis]; most > 0 && n[0]*n[1] > most {
			return fmt.Errorf("kernel %s was made for grids of up to %d threads along %c, not %d", f.Name, most, "xyz"[axis], n[0]*n[1])
		}
	}
	for _, p := range f.Params {
		if p.Least == 0 && p.Most == 0 || len(params) < p.Offset+p.Bytes() {
			continue
		}
		var n int64
		switch at := params[p.Offset:]; {
		case p.Type.Bytes() == 8:
			n = int64(binary.LittleEndian.Uint64(at))
		case p.Type == I32:
			n = int64(int32(binary.LittleEndian.Uint32(at)))
		case p.Type == U32:
			n = int64(binary.LittleEndian.Uint32(at))
		default:
			continue
		}
		if n < p.Least || n > p.Most {
			return fmt.Errorf("kernel %s was made for launches with %s from %d to %d, not %d", f.Name, p.Name, p.Least, p.Most, n)
		}
	}
	return nil
}
