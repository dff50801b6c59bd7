package scan

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Form is how the elements of a tile, Threads*Each of them, are shared out among the threads of a block.
type Form struct {
	Threads int // of a block: a multiple of 32, 1,024 at most
	Each    int // neighbours that one thread combines
	Method  Method
	Pad     bool // leave a word free behind 16, so that the levels of Downsweep's tree meet in fewer banks
	// Shuffles move numbers between the lanes of a warp, on machines that have them. Without, shared memory does, as on
	// those of 2008. The results are the same.
	Shuffles bool
	// Conditional has the lanes of a warp find by a scan of its own where their segments begin, and then combine what
	// does not reach beyond, in place of combining flags with each number. It is for scans by segments.
	Conditional bool
	// Exchange goes through shared memory between what is read and written, neighbouring lanes neighbouring elements,
	// and what threads combine. It takes a tile of shared memory. Without, each lane reads its own Each elements.
	Exchange bool
	// Vectors is how many bytes of neighbouring elements one access of the exchange moves at most, where Each is a
	// multiple of these and arrays are Aligned: 16, 8 or 4; 0 moves elements one by one.
	Vectors int
	// Packed says that the first array is of flags, eight in a byte, the first one highest, as heads of segments may
	// be; they are bools then. There is one line.
	Packed bool
}

// WideVectors are fastest but on machines of before 2009, where words of 4 bytes are.
const WideVectors, WordVectors = 16, 4

// ByMachine lets who plans choose one of them.
const ByMachine = -1

// Tile is how many elements a block scans.
func (f Form) Tile() int { return f.Threads * f.Each }

// Default is the form that np's running sums have: the order of their additions is that of its tiles.
var Default = Form{Threads: 256, Each: 8, Shuffles: true, Exchange: true, Vectors: ByMachine}

// Fitted returns f for lines of that length: with fewer threads where one tile has room for a line. The order of the
// combinations stays.
func (f Form) Fitted(length int) Form {
	if length < f.Tile() {
		threads := (length + f.Each - 1) / f.Each
		f.Threads = max((threads+kir.WarpSize-1)/kir.WarpSize, 1) * kir.WarpSize
		if f.Method != WarpWise {
			f.Threads = 1 << bits.Len(uint(f.Threads-1))
		}
	}
	return f
}

// Spec is what is scanned. An array has lines of length elements each: element i of line l lies at place l*length + i,
// or, where Strided is set, at ((l/inner)*length + i)*inner + l%inner, as those along an axis do that inner elements
// of the others lie behind.
type Spec struct {
	Name string // of the kernels
	Op   Op
	Form Form

	In []kir.Type // element types of the arrays that are read
	// Lift makes a state of the elements at one place; nil: each becomes the number of the state with its number.
	Lift func(b *kir.Builder, in []*kir.Value) []*kir.Value
	Out  []kir.Type // of the arrays that are written
	// Lower makes of a state, and of the elements at its place, what is written; nil: its numbers.
	Lower func(b *kir.Builder, state, in []*kir.Value) []*kir.Value

	// Scatter, where it is not nil, says of a state and the elements at its place where what is written goes in place
	// of there, an I64, and whether it is written at all. There is one line then, and no two places write to one.
	Scatter func(b *kir.Builder, state, in []*kir.Value) (to, ok *kir.Value)
	// Numbered lets Lower and Scatter see, behind the elements at a place, its number in the line, an I64.
	Numbered bool
	// Given are numbers that Lower and Scatter see behind all that, I64.
	Given []int
	// Lifted is how many of In, the first ones, Lift takes; 0 for all. Totals need no others.
	Lifted int
	// Consts are numbers that Lift, Lower and Scatter see right behind the elements at a place. They are parameters of
	// the kernels, so that other numbers take the same ones.
	Consts []Const

	Exclusive bool // element i is of those before it, Op.Identity for the first
	Strided   bool
	Single    bool // a line is one tile at most, so that nothing stands before it
	Aligned   bool // all arrays begin at multiples of 16 bytes of memory
	Alone     bool // there is one line
	Later     bool // something stands before the first tile too: what is scanned is a part of a line, see Parts
}

// Const is a number of a type.
type Const struct {
	Type kir.Type
	Bits uint64
}

// Around is s with operations in its loads and in its store: it reads the arrays in, of which the first lifted are
// those that the totals need, and writes an array of type out. before makes of what Lift or Lower sees, the
// elements of these arrays and then the consts, the first n of what s reads at that place; after makes of what s
// writes there, and of what Lower sees, what is written. s has no Consts, Given or Scatter, is not Numbered, and
// its flags are not packed.
func (s Spec) Around(in []kir.Type, lifted int, consts []Const, out kir.Type,
	before func(b *kir.Builder, in []*kir.Value, n int) []*kir.Value, after func(b *kir.Builder, x *kir.Value, in []*kir.Value) *kir.Value) Spec {
	taken := s.Lifted
	if taken == 0 {
		taken = len(s.In)
	}
	t := s
	t.In, t.Lifted, t.Consts, t.Out = in, lifted, consts, []kir.Type{out}
	t.Lift = func(b *kir.Builder, xs []*kir.Value) []*kir.Value {
		own := before(b, xs, taken)
		if s.Lift != nil {
			return s.Lift(b, own)
		}
		return converted(b, s.Op.State, own)
	}
	t.Lower = func(b *kir.Builder, state, xs []*kir.Value) []*kir.Value {
		var own []*kir.Value
		if s.Lower != nil {
			own = before(b, xs, len(s.In))
		}
		return []*kir.Value{after(b, s.lower(b, state, own)[0], xs)}
	}
	return t
}

// InBytes is how many bytes the elements at one place have, of all arrays that are read.
func (s Spec) InBytes() (n int) {
	for _, t := range s.In {
		n += t.Bytes()
	}
	return n
}

// Totals is the spec of the scan of what the kernel Totals of s writes: a line of totals for each line.
func (s Spec) Totals() Spec {
	s.Form.Packed = false
	return Spec{Name: s.Name + "_totals", Op: s.Op, Form: s.Form, In: s.Op.State, Out: s.Op.State, Aligned: s.Aligned}
}

// Check says what is wrong with a form.
func (f Form) Check() error {
	switch {
	case f.Threads < kir.WarpSize || f.Threads%kir.WarpSize != 0 || f.Threads > kir.MaxThreadsPerBlock:
		return fmt.Errorf("a scan by %d threads a block: it takes a multiple of %d, %d at most", f.Threads, kir.WarpSize, kir.MaxThreadsPerBlock)
	case f.Each < 1 || f.Each > 32:
		return fmt.Errorf("a scan of %d elements a thread: it takes 1 to 32", f.Each)
	case f.Vectors != ByMachine && f.Vectors != 0 && f.Vectors != 4 && f.Vectors != 8 && f.Vectors != 16:
		return fmt.Errorf("accesses of %d bytes: a thread moves 4, 8 or 16 at once, or 0, which is element by element", f.Vectors)
	case f.Method != WarpWise && f.Threads&(f.Threads-1) != 0:
		return fmt.Errorf("a %v scan by %d threads a block: it takes a power of two", f.Method, f.Threads)
	}
	return nil
}

func (s Spec) check() error {
	switch {
	case s.Exclusive && s.Op.Identity == nil:
		return fmt.Errorf("an exclusive scan begins with the operator's identity, which %s has not", s.Op.Name)
	case s.Form.Method == Downsweep && s.Op.Identity == nil:
		return fmt.Errorf("a downsweep scan begins with the operator's identity, which %s has not", s.Op.Name)
	case s.Lift == nil && s.Lifted == 0 && len(s.In) != len(s.Op.State), s.Lower == nil && len(s.Out) != len(s.Op.State):
		return fmt.Errorf("scan %s reads %d arrays and writes %d, its states have %d numbers", s.Name, len(s.In), len(s.Out), len(s.Op.State))
	}
	return s.Form.Check()
}

func (s Spec) lift(b *kir.Builder, in []*kir.Value) []*kir.Value {
	if s.Lifted > 0 {
		in = append(slices.Clone(in[:s.Lifted]), in[len(s.In):len(s.In)+len(s.Consts)]...)
	}
	if s.Lift != nil {
		return s.Lift(b, in)
	}
	return converted(b, s.Op.State, in)
}

func (s Spec) lower(b *kir.Builder, state, in []*kir.Value) []*kir.Value {
	if s.Lower != nil {
		return s.Lower(b, state, in)
	}
	return converted(b, s.Out, state)
}

func converted(b *kir.Builder, to []kir.Type, xs []*kir.Value) []*kir.Value {
	out := make([]*kir.Value, len(xs))
	for i, x := range xs {
		out[i] = b.Convert(to[i], x)
	}
	return out
}
