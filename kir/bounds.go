package kir

import "fmt"

// Bounds are what a kernel's source says of its launches and asks of its compiler, as CUDA's __launch_bounds__, __maxnreg__ and
// --use_fast_math. Zero is nothing said.
type Bounds struct {
	MaxThreads   int    // of a block; a launch with more fails
	Blocks       [3]int // that the grid has at most along each axis; 0 where nothing is known. A launch with more fails
	Threads      [3]int // that the grid has at most along each axis
	MinBlocks    int    // that a multiprocessor should have room for
	MaxRegisters int    // of a thread; values beyond are kept in local memory, see Spill
	// FastMath lets PTX have contracted products and sums and approximate division, roots and elementary functions in f32. It
	// is for cards alone: the CPU engine and simulated GPUs compute exactly all the same.
	FastMath bool
	// Unscheduled keeps instructions in the order in which they are written. It is for simulated GPUs alone, whose compilers
	// schedule else (see Schedule): the CPU engine never does, the driver of a card always.
	Unscheduled bool
	// Addresses32 says that the machine's addresses have 32 bits: compute capability 1.x. It is about what instructions and registers
	// are counted.
	Addresses32 bool
	// Compiled says that another compiler made the kernel, of a language in which pointers of different parameters may lead to the
	// same memory: it has done with loops what it does, and what is known of a launch comes too late for it.
	Compiled bool
}

// boundNames are the words for them in the text form.
func (b *Bounds) boundNames() []boundName {
	return []boundName{{"maxthreads", &b.MaxThreads}, {"minblocks", &b.MinBlocks}, {"maxregisters", &b.MaxRegisters},
		{"blocksx", &b.Blocks[0]}, {"blocksy", &b.Blocks[1]}, {"blocksz", &b.Blocks[2]}, {"threadsx", &b.Threads[0]}, {"threadsy", &b.Threads[1]}, {"threadsz", &b.Threads[2]}}
}

type boundName struct {
	word  string
	value *int
}

// String returns the bounds as the text form has them behind the parameters: " maxthreads 256 fastmath compiled unscheduled".
func (b Bounds) String() string {
	s := ""
	for _, n := range b.boundNames() {
		if *n.value != 0 {
			s += fmt.Sprintf(" %s %d", n.word, *n.value)
		}
	}
	if b.FastMath {
		s += " fastmath"
	}
	if b.Compiled {
		s += " compiled"
	}
	if b.Addresses32 {
		s += " addresses32"
	}
	if b.Unscheduled {
		s += " unscheduled"
	}
	return s
}
