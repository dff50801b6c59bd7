package scan

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Sort sorts lines of bools or numbers by their digits, from the lowest on: the tiles of a line count how often each
// digit is there, a scan of the counts of all tiles says where the elements of each digit go, and they are moved there
// (Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009). A line that a block
// has room for is sorted by it alone. Digits above those of how far the elements lie apart are passed over.
//
// Floats are in the order of package arrays: -0 before 0, every NaN last, as the one NaN of that package. Of Places -0
// and 0 are equal.
type Sort struct {
	Elem   kir.Type
	Places bool // write where elements came from, I64, in place of them: equal ones keep their order
	// Threads of a block, a multiple of 32, and the elements that each has: 16*Each*Threads is at most 65,535.
	Threads, Each int

	Strided bool // as of Spec
	Wide    bool // a line has places that need 64 bits
}

const (
	digitBits = 4
	digits    = 1 << digitBits
	// keyBlocks is how many blocks look for the range of keys at most, so that one block can join what they found.
	keyBlocks = 256
)

// Tile is how many elements a block has room for.
func (s Sort) Tile() int { return s.Threads * s.Each }

// SharedBytes is about how much shared memory a block takes.
func (s Sort) SharedBytes() int {
	return digits*s.column()*2 + 2*s.Threads*4 + padded(s.Tile())*s.key().Bytes() + digits*8
}

func (s Sort) bits() int {
	if s.Elem == kir.Bool {
		return 1
	}
	return 8 * s.Elem.Bytes()
}

func (s Sort) passes() int { return (s.bits() + digitBits - 1) / digitBits }

// key is the type of what is compared, stored that of an element's bits, place that of a place in a line.
func (s Sort) key() kir.Type {
	if s.bits() > 32 {
		return kir.U64
	}
	return kir.U32
}

func (s Sort) stored() kir.Type {
	return map[int]kir.Type{1: kir.U8, 2: kir.U16, 4: kir.U32, 8: kir.U64}[s.Elem.Bytes()]
}

func (s Sort) place() kir.Type {
	if s.Wide {
		return kir.I64
	}
	return kir.I32
}

func (s Sort) sign() uint64 { return 1 << (s.bits() - 1) }
func (s Sort) ones() uint64 { return math.MaxUint64 >> (64 - s.bits()) }

// floats are the bits of infinity and of the NaN that all become.
func (s Sort) floats() (inf, nan uint64) {
	switch s.Elem {
	case kir.F16:
		return 0x7c00, 0x7e00
	case kir.F32:
		return 0x7f80_0000, 0x7fc0_0000
	}
	return 0x7ff0_0000_0000_0000, math.Float64bits(math.NaN())
}

func (s Sort) isFloat() bool  { return s.Elem == kir.F16 || s.Elem.IsFloat() }
func (s Sort) isSigned() bool { return s.Elem.IsInteger() && !s.Elem.IsUnsigned() }

// SortKernel is one of the kernels of a Sort.
type SortKernel uint8

// The kernels.
const (
	SortLine  SortKernel = iota // sorts a line that a tile has room for
	SortRange                   // finds the least and the largest key
	SortJoin                    // joins what blocks found
	SortKeys                    // makes keys: how far they are from the least
	SortCount                   // counts the digits of a tile
	SortMove                    // moves the elements of a tile
	SortWrite                   // makes elements of keys
	SortMerge                   // merges two sorted runs
)

// SortMaker makes kernels, or has them.
type SortMaker func(s Sort, k SortKernel) (Kernel, error)

// MakeSort makes a kernel and hashes it.
func MakeSort(s Sort, k SortKernel) (Kernel, error) {
	m := &sorter{Sort: s, Builder: kir.NewBuilder(fmt.Sprintf("sort_%s", [...]string{"line", "range", "join", "keys", "count", "move", "write", "merge"}[k]))}
	[...]func(){m.sortLine, m.findRange, m.joinRanges, m.makeKeys, m.countDigits, m.move, m.write, m.merge}[k]()
	m.Return()
	f, err := m.Func()
	if err != nil {
		return Kernel{}, err
	}
	f.Bounds.MaxThreads = s.Threads
	if k == SortJoin {
		f.Bounds.MaxThreads = keyBlocks
	}
	return Kernel{f, f.Hash()}, nil
}

// Plan plans the sort of so many lines of that length, none of them 0, of which the elements lie inner places apart.
// scans makes the kernels of the scans, of the form that they are given.
func (s Sort) Plan(lines, length, inner int, form Form, scans func(s Spec, k Kind) (Kernel, error), sorts SortMaker) (p Plan, err error) {
	if s.Threads < kir.WarpSize || s.Threads%kir.WarpSize != 0 || s.Each < 1 || s.Tile() > math.MaxUint16 {
		return p, fmt.Errorf("a sort by %d threads of %d elements: it takes a multiple of %d threads, and %d elements a block at most", s.Threads, s.Each, kir.WarpSize, math.MaxUint16)
	}
	s.Strided, s.Wide = inner > 1, length > math.MaxInt32
	n := lines * length
	add := func(k SortKernel, blocks, threads int, args ...Arg) {
		made, e := sorts(s, k)
		if err == nil {
			err = e
		}
		p.Launches = append(p.Launches, Launch{made, kir.D1(blocks), kir.D1(threads), args})
	}
	num := func(x int) Arg { return Arg{Kind: Number, N: x} }
	in, out := Arg{Kind: In}, Arg{Kind: Out}
	if length <= s.Tile() {
		s.Threads = min(s.Threads, max((length+s.Each-1)/s.Each+kir.WarpSize-1, kir.WarpSize)&^(kir.WarpSize-1))
		if lines > maxBlocks {
			return p, fmt.Errorf("a sort of %d lines; a grid has %d blocks at most", lines, maxBlocks)
		}
		add(SortLine, lines, s.Threads, in, out, num(length), num(inner))
		return p, err
	}
	tiles := (length + s.Tile() - 1) / s.Tile()
	blocks := lines * tiles
	if lines > maxBlocks || tiles > maxBlocks || blocks > maxBlocks {
		return p, fmt.Errorf("a sort of %d lines of %d elements takes %d blocks; a grid has %d at most", lines, length, blocks, maxBlocks)
	}
	one := func(n int, t kir.Type) Arg { return p.scratch(n, []kir.Type{t})[0] }
	keys := []Arg{one(n, s.key()), one(n, s.key())}
	places := []Arg{num(0), num(0)}
	if s.Places {
		places = []Arg{one(n, s.place()), one(n, s.place())}
	}
	finders := min((n+s.Threads-1)/s.Threads, keyBlocks)
	each := (n + s.Threads - 1) / s.Threads
	found, span := one(2*keyBlocks, s.key()), one(2, s.key())
	add(SortRange, finders, s.Threads, in, found, num(n), num(finders*s.Threads))
	add(SortJoin, 1, keyBlocks, found, span, num(finders))
	add(SortKeys, each, s.Threads, in, keys[0], places[0], span, num(n), num(length), num(inner))
	counts, before := one(lines*digits*tiles, s.place()), one(lines*digits*tiles, s.place())
	over := Spec{Name: "sort_scan", Op: Binary(kir.OpAdd, s.place()), Form: form, In: []kir.Type{s.place()}, Out: []kir.Type{s.place()}, Exclusive: true}
	for pass := range s.passes() {
		from, to := pass%2, 1-pass%2
		add(SortCount, blocks, s.Threads, keys[from], span, counts, num(pass), num(length), num(tiles))
		if e := over.level(&p, lines, digits*tiles, 1, []Arg{counts}, []Arg{before}, scans); e != nil {
			return p, e
		}
		add(SortMove, blocks, s.Threads, keys[from], keys[to], places[from], places[to], span, before, num(pass), num(length), num(tiles))
	}
	add(SortWrite, each, s.Threads, keys[0], keys[1], places[0], places[1], span, out, num(n), num(length), num(inner))
	return p, err
}
