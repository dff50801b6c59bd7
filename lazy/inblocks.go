package lazy

import (
	"context"
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/sorting"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// What is counted of an array in a file, or made of one, that is more than the budget is counted block by block.

// oversized returns where a's file is, where a is too large for memory as it is; "" otherwise.
func (a *Array) oversized() string {
	if !filesOpened.Load() || int64(a.NBytes()) <= runtime().HostBudget() {
		return ""
	}
	check("evaluate", lock(context.Background()))
	defer unlock()
	n := a.view().node
	return oversized(pending([]*node{n}))(n)
}

// blocks returns a's elements in C order, to be read piece by piece: from the file that they are in, or from a
// temporary one in a directory. What holds them must be released.
func (a *Array) blocks(dir string) (in blocks, release func(), err error) {
	in = blocks{ctx: runtime().CellContext(), dtype: a.dtype, n: a.Size(), dir: dir}
	if v := a.view(); v.isWhole() && v.node.done() && v.node.value.Source() != nil {
		in.source = v.node.value.Source()
		if f := in.source.File(); f != nil { // or the first to read a part waits for all lines of it
			err = f.WriteBack(in.ctx)
		}
		if err == nil {
			err = in.source.Check()
		}
		return in, func() { _ = v }, err
	}
	file, err := disk.Temporary(dir, int64(a.NBytes()))
	if err != nil {
		return in, nil, err
	}
	err = newNode(kindCast, a.dtype, contiguous([]int{in.n}), &ordinary, a.Reshape(-1).view()).streamTo(file)
	if err == nil {
		in.source = file
		return in, file.Release, nil
	}
	file.Release()
	if whole := new(offload.NotStreamed); !errors.As(err, &whole) || whole.Task != "" {
		return in, nil, err
	}
	eager, err := eval([]*Array{a}, true) // somebody has had it computed as a whole
	if err == nil {
		in.memory = eager[0].Bytes()
	}
	return in, func() {}, err
}

// eachBlock calls f for the elements of a block by block.
func eachBlock(op string, a *Array, dir string, f func(block *arrays.Array, at int) error) {
	in, release, err := a.blocks(dir)
	check(op, err)
	defer release()
	check(op, in.each(f))
}

// histogramOnDevice counts block by block; ok is false where package arrays does it.
func histogramOnDevice(x, bins any, opts []HistogramOption) (counts, edges *Array, ok bool) {
	a, is := x.(*Array)
	if !is || a == nil || !a.dtype.IsNumber() || a.dtype.IsComplex() {
		return nil, nil, false
	}
	density, limited := false, false
	for _, o := range opts {
		switch o.(type) {
		case arrays.DensityOption:
			density = true
		case arrays.LimitsOption:
			limited = true
		default:
			return nil, nil, false
		}
	}
	if _, rule := bins.(string); rule { // it looks at quartiles and the like
		return nil, nil, false
	}
	dir := a.oversized()
	if dir == "" {
		return nil, nil, false
	}
	eager := evaluated(bins)
	var each []HistogramOption
	for _, o := range opts {
		if _, is := o.(arrays.LimitsOption); is {
			each = append(each, o)
		}
	}
	if _, number := eager.(int); number && !limited {
		lo, hi := a.Min().AsType(Float64), a.Max().AsType(Float64)
		Eval(lo, hi)
		each = append(each, Limits(lo.Float64(), hi.Float64()))
	}
	var sum, between *arrays.Array
	eachBlock("histogram", a, dir, func(b *arrays.Array, _ int) error {
		c, e := arrays.Histogram(b, eager, each...)
		if sum == nil {
			sum, between = c, e
		} else {
			sum = sum.Add(c)
		}
		return nil
	})
	if density {
		sum = sum.AsType(arrays.Float64)
		sum = sum.Div(arrays.Diff(between.AsType(arrays.Float64))).Div(sum.Sum())
	}
	return FromArray(sum), FromArray(between), true
}

// binCountInBlocks counts block by block; ok is false where it is done otherwise.
func binCountInBlocks(a *Array, opts []BinCountOption) (counts *Array, ok bool) {
	least := 0
	for _, o := range opts {
		n, is := o.(arrays.MinLengthOption)
		if !is || n.Of < 0 {
			return nil, false
		}
		least = n.Of
	}
	dir := a.oversized()
	if dir == "" || !a.dtype.IsInt() && !a.dtype.IsBool() {
		return nil, false
	}
	sum := arrays.New(arrays.Int64, least)
	eachBlock("bincount", a, dir, func(b *arrays.Array, _ int) error {
		c := arrays.BinCount(b, arrays.MinLength(sum.Len()))
		c.At(arrays.To(sum.Len())).Set(c.At(arrays.To(sum.Len())).Add(sum))
		sum = c
		return nil
	})
	return FromArray(sum), true
}

// placesInBlocks are the places of elements that are not zero, in C order, found block by block; ok is false where they
// are found otherwise.
func placesInBlocks(a *Array) (flat *Array, ok bool) {
	dir := a.oversized()
	if dir == "" {
		return nil, false
	}
	found, err := newList(dir, a.Size(), Int64)
	check("nonzero", err)
	defer found.close()
	eachBlock("nonzero", a, dir, func(b *arrays.Array, at int) error {
		step := max(room()/Int64.Size(), 1) // a place is larger than an element may be
		for lo := 0; lo < b.Len(); lo += step {
			part := b.At(arrays.S(lo, min(lo+step, b.Len())))
			if err := found.put(arrays.FlatNonZero(part).Add(at + lo)); err != nil {
				return err
			}
		}
		return nil
	})
	flat, err = found.array()
	check("nonzero", err)
	return flat, true
}

// endsOnDisk are the first place, and the one behind the last, along each axis where a has something that is not zero;
// ok is false where they are found otherwise.
func endsOnDisk(a *Array) (ends [][2]int, ok bool) {
	if a.oversized() == "" {
		return nil, false
	}
	for k, size := range a.Shape() {
		there := a.AsType(Bool).MoveAxis(k, 0).Reshape(size, -1).AnyTrue(Axis(1))
		at := [2]int{}
		if there.AnyTrue().Bool() {
			at = [2]int{there.ArgMax().Int(), size - there.Flip().ArgMax().Int()}
		}
		ends = append(ends, at)
	}
	return ends, true
}

// uniqueInRuns is Unique, and how often each element is there, by way of a file in which they are sorted; ok is false
// where package arrays does it.
func uniqueInRuns(x any, axis []AxisOption) (values, counts *Array, ok bool) {
	a, is := x.(*Array)
	if !is || a == nil || len(axis) > 0 || !sortsInRuns(a.dtype) {
		return nil, nil, false
	}
	dir := a.oversized()
	if dir == "" {
		return nil, nil, false
	}
	sorted := Sort(a.Reshape(-1))
	Eval(sorted)
	found, err := newList(dir, a.Size(), a.dtype)
	check("unique", err)
	defer found.close()
	often, err := newList(dir, a.Size(), Int64)
	check("unique", err)
	defer often.close()
	var last *arrays.Array // of the blocks so far, which may go on
	var n int64
	eachBlock("unique", sorted, dir, func(b *arrays.Array, _ int) error {
		v, c := arrays.UniqueCounts(b)
		switch {
		case last == nil:
		case arrays.Unique(arrays.Concat(arrays.Axis(0), last, v.At(arrays.To(1)))).Size() == 1:
			c.Set(c.At(0).Add(n), 0)
			v.Set(last.At(0), 0)
		default:
			if err := found.put(last); err != nil {
				return err
			}
			if err := often.put(arrays.Scalar(n)); err != nil {
				return err
			}
		}
		k := v.Len() - 1
		last, n = v.At(arrays.From(k)).Copy(), int64(c.At(k).Int())
		if err := found.put(v.At(arrays.To(k))); err != nil {
			return err
		}
		return often.put(c.At(arrays.To(k)))
	})
	check("unique", found.put(last))
	check("unique", often.put(arrays.Scalar(n)))
	if a.dtype.IsFloat() {
		check("unique", found.firstZero(a, dir))
	}
	values, err = found.array()
	check("unique", err)
	counts, err = often.array()
	check("unique", err)
	return values, counts, true
}

// distinct are the results of UniqueAll.
type distinct struct{ values, first, inverse, counts *Array }

// distinctInRuns is UniqueAll by way of files in which elements are sorted with their places; ok is false where package
// arrays, or a device, does it.
func distinctInRuns(x any, axis []AxisOption) (d distinct, ok bool) {
	a, is := x.(*Array)
	if !is || a == nil || len(axis) > 0 || !sortsInRuns(a.dtype) {
		return d, false
	}
	dir := a.oversized()
	if dir == "" {
		return d, false
	}
	in, release, err := a.blocks(dir)
	check("unique", err)
	defer release()
	if a.dtype.Size() == 8 {
		d, err = distinctBy[uint64](in, a.Shape())
	} else {
		d, err = distinctBy[uint32](in, a.Shape())
	}
	check("unique", err)
	return d, true
}

// valuesOf are elements of the given keys, as bytes. Zeros and NaNs, which have several forms, are those at places.
func valuesOf[K sorting.Key](in blocks, keys []K, places []int64) ([]byte, error) {
	var k K
	size := in.dtype.Size()
	values := slices.Clone(keys)
	wide := in
	switch {
	case size == int(unsafe.Sizeof(k)):
	case in.dtype.IsInt() && !in.dtype.IsUnsigned():
		wide.dtype = Int32
	default:
		wide.dtype = Uint32
	}
	keysFor[K](wide, true).to(values)
	all := arrays.FromBytes(wide.dtype, []int{len(values)}, bytesOf(values))
	b := all.AsType(in.dtype).Copy().Bytes()
	if in.dtype.IsFloat() {
		odd := arrays.LogicalOr(all.Equal(0), arrays.IsNaN(all))
		for _, i := range arrays.FlatNonZero(odd).Ints() {
			if err := in.read(b[i*size:][:size], int(places[i])); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// distinctBy is distinctInRuns by keys of a width. The index of each element's value is found in the order of values,
// and sorted by places then.
func distinctBy[K sorting.Key](in blocks, shape []int) (d distinct, err error) {
	var lists [3]*list
	for i, dtype := range []DType{in.dtype, Int64, Int64} {
		if lists[i], err = newList(in.dir, in.n, dtype); err != nil {
			return d, err
		}
		defer lists[i].close()
	}
	indices := sorter[uint64]{in: in, n: in.n, beside: true}
	inOrder, err := indices.file() // places, and the indices of the values there
	if err != nil {
		return d, err
	}
	defer inOrder.release()
	to := writerTo[uint64](inOrder)
	at, begins := int64(-1), 0 // index of the last value, and where its run begins
	var heads []K              // values, as keys
	var first, counts []int64
	numbers := make([]int64, 0, 1<<12)
	end := func() error { // of a part
		values, err := valuesOf(in, heads, first)
		if err != nil {
			return err
		}
		for i, l := range []([]byte){values, bytesOf(first), bytesOf(counts)} {
			if err := lists[i].to.put(l); err != nil {
				return err
			}
		}
		heads, first, counts = heads[:0], first[:0], counts[:0]
		return nil
	}
	var last K
	err = withPlaces[K](in).each(func(keys []K, places []int64) error {
		for lo := 0; lo < len(keys); lo += cap(numbers) {
			part := keys[lo:min(lo+cap(numbers), len(keys))]
			from := places[lo:][:len(part)]
			numbers = numbers[:len(part)]
			for i, k := range part {
				if at < 0 || k != last {
					if at >= 0 {
						counts = append(counts, int64(to.n+i-begins))
					}
					at, last, begins = at+1, k, to.n+i
					heads, first = append(heads, k), append(first, from[i])
				}
				numbers[i] = at
			}
			if err := to.put(elementsAs[uint64](bytesOf(from)), numbers); err != nil {
				return err
			}
			if err := in.ctx.Err(); err != nil {
				return err
			}
			if len(counts) == len(heads)-1 && len(counts) > 1<<15 {
				rest, place := heads[len(heads)-1], first[len(first)-1] // it goes on
				heads, first = heads[:len(heads)-1], first[:len(first)-1]
				if err := end(); err != nil {
					return err
				}
				heads, first = append(heads, rest), append(first, place)
			}
		}
		return nil
	})
	if counts = append(counts, int64(in.n-begins)); err == nil {
		err = end()
	}
	if err != nil {
		return d, err
	}
	indices.fill = func(keys []uint64, beside []int64, at int) error {
		if err := inOrder.keys.ReadAt(bytesOf(keys), 8*int64(at)); err != nil {
			return err
		}
		return inOrder.beside.ReadAt(bytesOf(beside), 8*int64(at))
	}
	inverse, err := newList(in.dir, in.n, Int64)
	if err != nil {
		return d, err
	}
	defer inverse.close()
	err = indices.each(func(_ []uint64, beside []int64) error { return inverse.to.put(bytesOf(beside)) })
	if err != nil {
		return d, err
	}
	for i, out := range []**Array{&d.values, &d.first, &d.counts} {
		if *out, err = lists[i].array(); err != nil {
			return d, err
		}
	}
	if d.inverse, err = inverse.array(); err == nil {
		d.inverse = d.inverse.Reshape(shape...)
	}
	return d, err
}

// list is an array of a length that is found while it is made, in a temporary file.
type list struct {
	to    sequence
	dtype DType
	zero  int64 // where a zero is that has a sign; -1 for nowhere
}

func newList(dir string, most int, dtype DType) (*list, error) {
	file, err := disk.Temporary(dir, int64(most)*int64(dtype.Size()))
	return &list{to: sequence{source: file}, dtype: dtype, zero: -1}, err
}

func (l *list) close() { l.to.source.Release() }

// put writes elements that are behind all before.
func (l *list) put(part *arrays.Array) error {
	if l.dtype.IsFloat() && part.Size() > 0 {
		if zeros := part.Equal(0); zeros.AnyTrue().Bool() {
			k := zeros.ArgMax().Int()
			if one := part.Reshape(-1).At(k); math.Signbit(one.Float64()) {
				l.zero = l.to.at + int64(k)*int64(l.dtype.Size())
			}
		}
	}
	return l.to.put(part.Copy().Bytes())
}

// firstZero puts the zero there that comes first in a: sorted, one with a sign does.
func (l *list) firstZero(a *Array, dir string) error {
	if l.zero < 0 {
		return nil
	}
	in, release, err := a.blocks(dir)
	if err != nil {
		return err
	}
	defer release()
	stop := context.Canceled
	err = in.each(func(b *arrays.Array, _ int) error {
		zeros := b.Equal(0)
		if !zeros.AnyTrue().Bool() {
			return nil
		}
		if err := l.to.source.WriteAt(b.At(zeros.ArgMax().Int()).Copy().Bytes(), l.zero); err != nil {
			return err
		}
		return stop
	})
	if err == stop && in.ctx.Err() == nil {
		err = nil
	}
	return err
}

// array returns what was put: in memory where there is room for it.
func (l *list) array() (*Array, error) {
	n := int(l.to.at) / l.dtype.Size()
	if l.to.at <= int64(room()) {
		b := make([]byte, l.to.at)
		if err := l.to.source.ReadAt(b, 0); err != nil {
			return nil, err
		}
		return FromArray(arrays.FromBytes(l.dtype, []int{n}, b)), nil
	}
	node, err := fileNode(l.to.source.File(), arrays.NPYFile{DType: l.dtype, Shape: []int{n}, Bytes: l.to.at})
	if err != nil {
		return nil, err
	}
	return node.whole(), nil
}
