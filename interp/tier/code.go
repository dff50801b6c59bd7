package tier

import (
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

type opcode = uint16

// instr is one operation: its registers, and a constant, a place to go to, or a number of a table.
type instr struct {
	op, a, b, c uint16
	imm         int64
}

const instrSize = unsafe.Sizeof(instr{})

// roomFor returns an empty list for n instructions in memory for one more. The loop points behind the instruction that
// it executes: behind the last one there would be another object of the heap, perhaps a free one, to which the
// collector may meet no pointer.
func roomFor(n int) []instr { return make([]instr, 0, n+1) }

// oneWord in c says that a call has one result, a word, which goes to a.
const oneWord = 1

// code is a compiled function or loop.
type code struct {
	prog *Program
	fn   *ssa.Function
	id   uint32

	head *ssa.BasicBlock // of a loop, else nil
	loop map[*ssa.BasicBlock]bool

	ins  []instr
	from []ssa.Instruction // what each operation was made of

	nsize, psize uint32 // registers
	nneed, pneed uint32 // with those that calls pass values in
	msize        uint32 // words of memory for variables

	globals  []unsafe.Pointer // variables of packages
	pointers []unsafe.Pointer // constants
	keep     []any            // what those point to

	inputs   []slot         // of a function: parameters and captured variables; of a loop: what is computed before it
	results  []slot         // of a function, in the engine's first registers
	phis     map[int][]slot // of a loop: what its first block's phis begin with, by the block that is left
	exits    []exit
	escapes  []escape
	dynamics []*dynamic
	slices   []slicing
	appends  []appending
	copies   []copying
	texts    []comparing
	nexts    []nexting
	allocs   []reflect.Type
	boxes    []reflect.Type

	failed bool // the engine runs it
	why    string
}

// place is where a value begins in each window.
type place struct{ n, p uint16 }

// slot is a value on both sides: in the tier's registers, and in one of the engine's.
type slot struct {
	place
	shape
	typ reflect.Type
	reg int
}

// exit is a way out of the code, to a block that the engine runs.
type exit struct {
	from, to *ssa.BasicBlock
	live     []slot
}

// escape is an instruction that the engine executes.
type escape struct {
	run    func(Frame)
	next   int
	args   []slot
	result []slot // several for a tuple
	tuple  bool
	reg    int // the engine's register of the result
	wanted bool
}

type slicing struct {
	src, dst    place
	lo, hi, max int32 // registers, -1 for none
	size        int64 // of an element
	isText      bool
	simple      bool  // of a slice, without max
	array       int64 // the length of the array behind a pointer, -1 for others
}

type appending struct {
	src, dst place
	kind     memKind
	size     int64
	typ      reflect.Type // of the slice
}

type copying struct {
	dst, src place
	size     int64
	to       uint16
}

type comparing struct {
	x, y place
	op   int // of token
	to   uint16
}

type nexting struct {
	text, at, to place
}
