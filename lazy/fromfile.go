package lazy

import (
	"bytes"
	"context"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// Functions of the CPU take arrays whole, but for those that know which elements they need: of an array in a file they
// read these.

// fileTask makes the task of a group whose root reads elements of a file one by one; nil where that is not so.
func (g *group) fileTask() *offload.Task {
	n := g.root
	if len(g.nodes) > 1 || len(n.args) == 0 {
		return nil
	}
	from := n.args[0]
	if n.kind == kindHost && n.host.masked {
		from = n.args[1]
	}
	v := from.node.value
	if v == nil || v.OnHost() || v.Source() == nil || v.Source().Memory() != nil {
		return nil
	}
	t := &offload.Task{Name: g.name(), In: []*offload.Value{v}, Out: []*offload.Value{n.value}, OnDemand: map[*offload.Value]bool{v: false}}
	ctx := runtime().CellContext()
	size := n.dtype.Size()
	switch {
	case n.kind == kindCast && n.dtype == from.node.dtype:
		t.CPU = func(out, _ [][]byte) error { return readElements(ctx, v.Source(), out[0], *from.layout, size) }
	case n.kind == kindHost && n.host.masked:
		mask := g.hostArg(t, n, 0, n.args[0])
		t.CPU = func(out, in [][]byte) error {
			return compress(ctx, v.Source(), out[0], mask(in).Copy().Bytes(), *from.layout, size)
		}
	case n.kind == kindHost && n.host.taken != nil && from.layout.IsContiguous():
		p := n.host.taken
		rows := from.layout.Shape[0]
		row := size * elementsIn(from.layout.Shape[1:])
		at := g.hostArg(t, n, 1, n.args[1])
		t.CPU = func(out, in [][]byte) error {
			return n.placing(func() error {
				idx := at(in)
				if err := inBounds(p, from.layout.Shape, idx); err != nil {
					return err
				}
				at := int64(from.layout.Offset * size)
				streams := v.Source().Choose(int64(idx.Size()), int64(row)).Streams()
				if v.Source().InBatches(at, int64(row)) {
					return v.Source().ReadRows(ctx, out[0], rowNumbers(idx, int64(rows)), at, int64(row), !streams, runtime().HostBudget()/4)
				}
				if streams {
					return takeInOrder(ctx, v.Source(), out[0], idx, at, row, rows)
				}
				return takeRows(ctx, v.Source(), out[0], idx, at, int64(row), int64(rows))
			})
		}
	default:
		return nil
	}
	t.Ops = g.ops(among(t.In))
	return t
}

// readElements reads the elements that l has to b, in C order.
func readElements(ctx context.Context, from *disk.Source, b []byte, l arrays.Layout, size int) error {
	const most = 8 << 20 // by one command
	w := disk.NewGather(ctx, from)
	return arrays.Wiring{}.Runs(l, func(at, n int) error {
		for off, end := int64(at)*int64(size), int64(at+n)*int64(size); off < end; {
			k := min(end-off, most)
			if err := w.Get(b[:k], off); err != nil {
				return err
			}
			b, off = b[k:], off+k
		}
		return nil
	})
}

// compress reads the elements that l has, and for which mask is true, to b. Stretches without any are not read.
func compress(ctx context.Context, from *disk.Source, b, mask []byte, l arrays.Layout, size int) error {
	const most = 1 << 16 // elements at a time
	w, buffer := disk.NewGather(ctx, from), make([]byte, most*size)
	looked := 0
	return arrays.Wiring{}.Runs(l, func(at, n int) error {
		for n > 0 {
			if looked--; looked < 0 { // where nothing is read, either
				if err := ctx.Err(); err != nil {
					return err
				}
				looked = 64
			}
			k := min(n, most)
			part := mask[:k]
			mask = mask[k:]
			if first := bytes.IndexByte(part, 1); first >= 0 {
				end := bytes.LastIndexByte(part, 1) + 1
				read := buffer[:(end-first)*size]
				if err := w.Get(read, int64(at+first)*int64(size)); err != nil {
					return err
				}
				for i, ok := range part[first:end] {
					if ok != 0 {
						b = b[copy(b, read[i*size:(i+1)*size]):]
					}
				}
			}
			at, n = at+k, n-k
		}
		return nil
	})
}

// takesRows reports whether p selects by one array of ints along the first axis alone.
func (p *picker) takesRows() bool {
	if len(p.args) != 1 || len(p.at) != 1 || p.at[0] != 0 {
		return false
	}
	for _, x := range p.idx[1:] {
		if x != any(All) {
			return false
		}
	}
	return true
}

// inBounds is the error of an index of rows that there are not.
func inBounds(p *picker, shape []int, idx *arrays.Array) (err error) {
	defer func() {
		if e, ok := recover().(*arrays.Error); ok {
			err = e
		}
	}()
	if idx.Size() == 0 || idx.Min().Int() >= -shape[0] && idx.Max().Int() < shape[0] {
		return nil
	}
	zero := arrays.Scalar(0)
	l, err := zero.Layout().BroadcastTo(shape[:1])
	if err == nil {
		zero.View(l).At(idx)
	}
	return err
}

// rowNumbers is an array of ints as row numbers, those below 0 counted from the end.
func rowNumbers(idx *arrays.Array, rows int64) []int64 {
	numbers := idx.AsType(Int64).Copy()
	all := unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(numbers.Bytes()))), numbers.Size())
	for i, r := range all {
		if r < 0 {
			all[i] += rows
		}
	}
	return all
}

// readers is how many rows are asked for at once: disks are fast when they have much to do.
const readers = 16

// takeRows reads rows of so many bytes, by their numbers, to b. Those that are smaller than a line are read by lines,
// which stay for others.
func takeRows(ctx context.Context, from *disk.Source, b []byte, idx *arrays.Array, at, row, rows int64) error {
	numbers := idx.AsType(Int64).Copy()
	n := numbers.Size()
	if n == 0 || row == 0 {
		return nil
	}
	c, err := from.Cache(runtime().HostBudget() / 4)
	if err != nil {
		return err
	}
	all := unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(numbers.Bytes()))), n)
	share := (n + readers - 1) / readers
	errs := make([]error, readers)
	var wg sync.WaitGroup
	for k := range readers {
		lo, hi := min(k*share, n), min((k+1)*share, n)
		wg.Go(func() {
			for i := lo; i < hi && errs[k] == nil; i++ {
				if errs[k] = ctx.Err(); errs[k] != nil {
					return
				}
				r := all[i]
				if r < 0 {
					r += rows
				}
				errs[k] = c.Read(b[int64(i)*row:][:row], at+r*row)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// takeInOrder is takeRows by reading all rows in order.
func takeInOrder(ctx context.Context, from *disk.Source, b []byte, idx *arrays.Array, at int64, row, rows int) error {
	if idx.Size() == 0 || row == 0 {
		return nil
	}
	flat := idx.AsType(Int64).Reshape(-1)
	flat = arrays.Where(flat.Less(0), flat.Add(rows), flat)
	places := arrays.ArgSort(flat)
	wanted, order := flat.At(places).Int64s(), places.Int64s()
	most := max(room()/row, 1)
	buffer := make([]byte, min(most, rows)*row)
	for k := 0; k < len(wanted); {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := int(wanted[k])
		block := buffer[:min(most, rows-first)*row]
		if err := from.ReadAt(block, at+int64(first)*int64(row)); err != nil {
			return err
		}
		for ; k < len(wanted) && int(wanted[k]) < first+most; k++ {
			copy(b[int(order[k])*row:][:row], block[(int(wanted[k])-first)*row:])
		}
	}
	return nil
}
