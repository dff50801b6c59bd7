package dp

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Segments say which neighbours belong together. Make them with [Heads], [Lengths] or [Offsets].
type Segments struct {
	heads *np.Array // bools, one for each element
	// of lengths and offsets: how many segments, which of them are not empty, and how many elements they have together
	count int
	full  []int64
	total int
}

// Heads are segments that begin where begins, bools or numbers, are true or not 0; the first begins with the first
// element in any case. None is empty.
func Heads(begins any) *Segments {
	return &Segments{heads: flags("dp.Heads", begins), count: -1}
}

// Lengths are segments of so many elements each, one behind the other; 0 is an empty one. The lengths are looked at
// now. It panics with *Error where one is negative.
func Lengths(lengths any) *Segments {
	ns := ints("dp.Lengths", lengths)
	offsets := make([]int64, len(ns)+1)
	for i, n := range ns {
		if n < 0 {
			check("dp.Lengths", fmt.Errorf("segment %d has length %d; it must be 0 or more", i, n))
		}
		offsets[i+1] = offsets[i] + n
	}
	return between(offsets)
}

// Offsets are segments that begin at the offsets, but the last of them, which is where the last segment ends: those of
// a CSR matrix. The first must be 0, and none less than the one before it, or it panics with *Error. They are looked at
// now.
func Offsets(offsets any) *Segments {
	at := ints("dp.Offsets", offsets)
	if len(at) == 0 || at[0] != 0 {
		check("dp.Offsets", fmt.Errorf("the first offset must be 0, and the last where the last segment ends"))
	}
	for i := range at[1:] {
		if at[i+1] < at[i] {
			check("dp.Offsets", fmt.Errorf("offset %d is %d, after %d: offsets must not fall", i+1, at[i+1], at[i]))
		}
	}
	return between(at)
}

func between(offsets []int64) *Segments {
	s := &Segments{count: len(offsets) - 1, total: int(offsets[len(offsets)-1])}
	heads := make([]bool, s.total)
	for i := range s.count {
		if offsets[i] < offsets[i+1] {
			heads[offsets[i]] = true
			s.full = append(s.full, int64(i))
		}
	}
	s.heads = np.FromSlice(heads)
	return s
}

func ints(op string, x any) []int64 {
	a := array(op, x)
	if !a.DType().IsInt() && a.Size() > 0 || a.NDim() != 1 {
		check(op, fmt.Errorf("they are %v of shape %v; give a list of ints", a.DType(), a.Shape()))
	}
	out := make([]int64, a.Size())
	_, err := binary.Decode(a.Array().AsType(np.Int64).Bytes(), binary.LittleEndian, out)
	check(op, err)
	return out
}

// of returns the heads for x.
func (s *Segments) of(op string, x *np.Array) *np.Array {
	if s == nil {
		check(op, fmt.Errorf("the segments are nil; were they never assigned?"))
	}
	if x.NDim() != 1 {
		check(op, fmt.Errorf("the array has shape %v; segments are of one axis: Reshape(-1) makes it one", x.Shape()))
	}
	if n := s.heads.Size(); n != x.Size() || s.heads.NDim() != 1 {
		if s.count < 0 {
			check(op, fmt.Errorf("there are flags of shape %v for %d elements", s.heads.Shape(), x.Size()))
		}
		check(op, fmt.Errorf("the segments have %d elements together, the array has %d", n, x.Size()))
	}
	return s.heads
}

// SegScan is [Scan] of each segment of x, which has one axis, by itself.
func SegScan(op *Operator, x any, s *Segments, opts ...Option) *np.Array {
	a := array("dp.SegScan", x)
	return scanned("dp.SegScan", op, a, s.of("dp.SegScan", a), false, opts)
}

// SegScanEx is [ScanEx] of each segment of x by itself.
func SegScanEx(op *Operator, x any, s *Segments, opts ...Option) *np.Array {
	a := array("dp.SegScanEx", x)
	return scanned("dp.SegScanEx", op, a, s.of("dp.SegScanEx", a), true, opts)
}

// SegReduce returns the combination of all elements of each segment of x; of an empty one the operator's identity. The
// number of segments that [Heads] makes is counted now.
func SegReduce(op *Operator, x any, s *Segments, opts ...Option) *np.Array {
	const name = "dp.SegReduce"
	a := array(name, x)
	heads := s.of(name, a)
	by, d := op.on(name, a.DType())
	count, n := s.count, a.Size()
	var rest *np.Array // the segment of each head, counted
	if count < 0 {
		count = 0
		if n > 0 {
			first := np.Arange(n).Eq(0)
			heads = heads.Or(first)
			count = int(heads.Sum().Int())
		}
		rest = np.Arange(count)
	} else {
		rest = np.FromSlice(s.full)
	}
	out := np.Zeros(count).AsType(d)
	empty := count > rest.Size()
	if empty && by.Identity == nil {
		check(name, fmt.Errorf("of %d segments %d are empty: give the operator's identity to dp.Op(%s, identity)", count, count-rest.Size(), op.name))
	}
	if empty {
		out = np.Full(identity(by.Identity[0], by.State[0], d), count).AsType(d)
	}
	if n == 0 || count == 0 {
		return out
	}
	running := scanned(name, op, a, heads, false, opts)
	counts := np.Int32
	if n > math.MaxInt32 {
		counts = np.Int64
	}
	number := Scan(Sum, heads.AsType(counts))
	np.Wiring{}.Launch(kernelcall.Call[np.Array]{
		Name: "last_of_segments", Func: lastOfSegments(kirTypes[d], kirTypes[counts]), Grid: kir.D1((n + 255) / 256), Block: kir.D1(256),
		Args: []kernelcall.Arg[np.Array]{
			{Array: running}, {Array: heads}, {Array: number}, {Array: rest}, {Bits: uint64(n)}, {Array: out, Writes: true, Fresh: !empty},
		},
	})
	return out
}

// identity is an array's element of those bits, which are of t.
func identity(bits uint64, t kir.Type, d np.DType) any {
	word := make([]byte, 8)
	for i := range word {
		word[i] = byte(bits >> (8 * i))
	}
	for from, k := range kirTypes {
		if k == t {
			return arrays.FromBytes(from, []int{1}, word[:t.Bytes()]).AsType(d).At(0).Item()
		}
	}
	return nil
}

// lastOfSegments makes the kernel that stores the last element of each segment in its segment's place.
func lastOfSegments(t, counts kir.Type) *kir.Func {
	b := kir.NewBuilder("last_of_segments")
	x, heads, number, place := b.Param("x", kir.U64), b.Param("heads", kir.U64), b.Param("number", kir.U64), b.Param("place", kir.U64)
	n, out := b.Param("n", kir.I64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	work, behind, put, end := b.NewBlock("work"), b.NewBlock("behind"), b.NewBlock("put"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), work, end)
	b.SetBlock(work)
	next := b.Op(kir.OpAdd, i, b.Int(kir.I64, 1))
	b.Branch(b.Op(kir.OpEq, next, n), put, behind)
	b.SetBlock(behind)
	b.Branch(b.Load(kir.Global, kir.Bool, b.Index(heads, next, kir.Bool)), put, end)
	b.SetBlock(put)
	k := b.Op(kir.OpSub, b.Convert(kir.I64, b.Load(kir.Global, counts, b.Index(number, i, counts))), b.Int(kir.I64, 1))
	to := b.Load(kir.Global, kir.I64, b.Index(place, k, kir.I64))
	b.Store(kir.Global, b.Index(out, to, t), b.Load(kir.Global, t, b.Index(x, i, t)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	check("dp.SegReduce", err)
	return f
}
