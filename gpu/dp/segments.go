package dp

import (
	"encoding/binary"
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Segments say which neighbours belong together. Make them with [Heads], [Lengths] or [Offsets].
type Segments struct {
	heads *np.Array // bools, one for each element
	// of lengths and offsets: how many segments, which of them are not empty, and where those end; of heads -1 and nil
	count      int
	full, ends *np.Array
}

// Heads are segments that begin where begins, bools or numbers, are true or not 0; the first begins with the first
// element in any case. None is empty.
func Heads(begins any) *Segments {
	return &Segments{heads: flags("dp.Heads", begins), count: -1}
}

// Lengths are segments of so many elements each, one behind the other; 0 is an empty one. The lengths are looked at
// now. It panics with *np.Error where one is negative.
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
// a CSR matrix. The first must be 0, and none less than the one before it, or it panics with *np.Error. They are looked
// at now.
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
	heads := make([]bool, offsets[len(offsets)-1])
	var full, ends []int64
	for i, end := range offsets[1:] {
		if offsets[i] < end {
			heads[offsets[i]] = true
			full, ends = append(full, int64(i)), append(ends, end-1)
		}
	}
	return &Segments{heads: np.FromSlice(heads), count: len(offsets) - 1, full: np.FromSlice(full), ends: np.FromSlice(ends)}
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
	return scannedAs("dp.SegScan", op, a, s.of("dp.SegScan", a), false, opts)
}

// SegScanEx is [ScanEx] of each segment of x by itself.
func SegScanEx(op *Operator, x any, s *Segments, opts ...Option) *np.Array {
	a := array("dp.SegScanEx", x)
	return scannedAs("dp.SegScanEx", op, a, s.of("dp.SegScanEx", a), true, opts)
}

// SegReduce returns the combination of all elements of each segment of x; of an empty one the operator's identity. The
// number of segments that [Heads] makes is counted now.
func SegReduce(op *Operator, x any, s *Segments, opts ...Option) *np.Array {
	const name = "dp.SegReduce"
	a := array(name, x)
	var out *np.Array
	if op != nil && op.texts != nil {
		out = op.reducedTexts(name, a, s)
	} else {
		out = segReduced(name, op, a, s, opts)
	}
	n, bits := a.Size(), sizeBits(out.DType())
	l := steps(name, n, 2*bits)
	l.scan("segments", n, bits)
	l.send("the last of each", n, bits, out.Size())
	return l.of(out)
}

func segReduced(name string, op *Operator, a *np.Array, s *Segments, opts []Option) *np.Array {
	heads := s.of(name, a)
	by, d := op.on(name, a.DType())
	full, ends := s.full, s.ends // the segments that have elements, and the last element of each
	count := s.count
	if count < 0 {
		ends = lasts(heads)
		count = ends.Size()
	}
	empty := count - ends.Size()
	if empty > 0 && by.Identity == nil {
		check(name, fmt.Errorf("of %d segments %d are empty: give the operator's identity to dp.Op(%s, identity)", count, empty, op.name))
	}
	if empty == count {
		out := np.Zeros(count).AsType(d)
		if count > 0 {
			out = np.Full(identity(by.Identity[0], by.State[0], d), count).AsType(d)
		}
		return out
	}
	last := scannedTo(name, op, a, heads, ends, false, opts)
	if empty == 0 {
		return last
	}
	out := np.Full(identity(by.Identity[0], by.State[0], d), count).AsType(d)
	deliver(out, full, last)
	return out
}

// lasts are the places of the last elements of segments that begin where heads are.
func lasts(heads *np.Array) *np.Array {
	n := heads.Size()
	if n == 0 {
		return np.Zeros(0).AsType(np.Int64)
	}
	next := heads.At(np.Minimum(np.Arange(n).Add(1), n-1)) // whether the element behind is a head
	return np.NonZero(next.LogicalOr(np.Arange(n).Equal(n - 1)))[0]
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
