package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
)

// dim is one axis of a kernel's domain: its size, and for each input how far a step along it goes, in elements.
type dim struct {
	size    int
	strides []int
}

// merge joins neighbouring axes that every input walks with one stride, and drops those of size 1, so that contiguous
// inputs need no index arithmetic. The result is in the memory of dims.
func merge(dims []dim) []dim {
	out := dims[:0]
	for _, d := range dims {
		if d.size == 1 {
			continue
		}
		if k := len(out) - 1; k >= 0 && joins(out[k], d) {
			out[k] = dim{out[k].size * d.size, d.strides}
			continue
		}
		out = append(out, d)
	}
	return out
}

func joins(outer, inner dim) bool {
	for i, s := range outer.strides {
		if s != inner.strides[i]*inner.size {
			return false
		}
	}
	return true
}

// dimsOf returns the axes of domain, for inputs of the given layouts stretched over it; axes chooses which.
func dimsOf(domain []int, inputs []*arrays.Layout, axes func(axis int) bool) []dim {
	dims, strides := make([]dim, 0, len(domain)), make([]int, 0, len(domain)*len(inputs))
	for axis, size := range domain {
		if !axes(axis) {
			continue
		}
		from := len(strides)
		for _, l := range inputs {
			strides = append(strides, l.Strides[axis])
		}
		dims = append(dims, dim{size, strides[from:len(strides):len(strides)]})
	}
	return merge(dims)
}

func sizeOf(dims []dim) int {
	n := 1
	for _, d := range dims {
		n *= d.size
	}
	return n
}

// offsets emits, for each input, the element offset (I64) that the linear index lin (I64, C order over dims) means,
// added to base where that is not nil. Sizes and strides are constants of the kernel: divisions by constants are cheap.
func offsets(b *kir.Builder, dims []dim, inputs int, lin *kir.Value, base []*kir.Value) []*kir.Value {
	out := slices.Clone(base)
	if out == nil {
		out = make([]*kir.Value, inputs)
	}
	// Division of 32-bit indices costs a GPU a fraction of that of 64-bit ones.
	t := kir.I64
	if len(dims) > 1 && sizeOf(dims) < 1<<31 {
		t = kir.U32
		lin = b.Convert(t, lin)
	}
	for k := len(dims) - 1; k >= 0; k-- {
		idx := lin
		if k > 0 {
			size := b.Int(t, int64(dims[k].size))
			idx = b.Op(kir.OpRem, lin, size)
			lin = b.Op(kir.OpDiv, lin, size)
		}
		idx = b.Convert(kir.I64, idx)
		for i, stride := range dims[k].strides {
			if stride == 0 {
				continue
			}
			step := idx
			if stride != 1 {
				step = b.Op(kir.OpMul, idx, b.Int(kir.I64, int64(stride)))
			}
			if out[i] == nil {
				out[i] = step
			} else {
				out[i] = b.Op(kir.OpAdd, out[i], step)
			}
		}
	}
	return out
}
