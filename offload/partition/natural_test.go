package partition

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBalanced has the figures of Legate NumPy's paper and of the specification made after it.
func TestBalanced(t *testing.T) {
	for _, c := range []struct {
		shape       []int
		tiles       int
		cuts, slabs []int
	}{
		{[]int{40000, 40000}, 8, []int{2, 4}, []int{8, 1}},
		{[]int{40000, 40000}, 4, []int{2, 2}, []int{4, 1}},
		{[]int{40000, 40000}, 256, []int{16, 16}, []int{256, 1}},
		{[]int{40000}, 8, []int{8}, []int{8}},
		{[]int{1, 40000}, 8, []int{1, 8}, []int{1, 8}},
		{[]int{5}, 8, []int{5}, []int{5}},
		{[]int{2, 1000000}, 8, []int{1, 8}, []int{2, 4}},
		{[]int{1000, 4}, 6, []int{6, 1}, []int{6, 1}},
		{[]int{100, 100, 100}, 12, []int{3, 2, 2}, []int{12, 1, 1}},
		{[]int{100, 100, 10000}, 8, []int{1, 1, 8}, []int{8, 1, 1}},
		{[]int{40000}, 1, nil, nil},
		{[]int{1, 1}, 8, nil, nil},
		{nil, 8, nil, nil},
		{[]int{3, 3}, 64, nil, []int{3, 3}},
	} {
		require.Equal(t, c.cuts, Balanced(c.shape, c.tiles), "%v in %d", c.shape, c.tiles)
		require.Equal(t, c.slabs, Slabs(c.shape, c.tiles), "%v in %d", c.shape, c.tiles)
	}
	require.Equal(t, []int{20000, 10000}, Tile([]int{40000, 40000}, []int{2, 4}))
}

// TestStretches: the boxes of a stretch have its elements and no other, each once, and their number does not grow with
// it.
func TestStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		root := make([]int, r.IntN(4))
		n := 1
		for a := range root {
			root[a] = 1 + r.IntN(5)
			n *= root[a]
		}
		at := r.IntN(n)
		count := 1 + r.IntN(n-at)
		boxes := Stretch(root, at, count)
		require.LessOrEqual(t, len(boxes), max(1, 2*len(root)))
		got := 0
		for _, b := range boxes {
			b.Runs(root, func(from, k, _ int) {
				require.Equal(t, at+got, from, "in order")
				got += k
			})
		}
		require.Equal(t, count, got)
	}
}

// TestBefore compares with the elements one by one, and Within with their order.
func TestBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 3000 {
		axes := 1 + r.IntN(3)
		root, domain := make([]int, axes), make([]int, axes)
		order := r.Perm(axes)
		m := Map{make([]int, axes), make([][]Term, axes)}
		for a := range root {
			root[a] = 3 + r.IntN(9)
			d := order[a]
			domain[d] = 1
			step := 1 + r.IntN(3)
			if r.IntN(4) == 0 { // it does not follow an axis
				m.Start[a] = r.IntN(root[a])
				continue
			}
			m.Start[a] = r.IntN(root[a])
			domain[d] = 1 + (root[a]-1-m.Start[a])/step
			if r.IntN(2) == 0 {
				step, domain[d] = -step, 1+m.Start[a]/step
			}
			m.Terms[a] = []Term{{d, step}}
		}
		box := make(Box, axes)
		for a, n := range root {
			lo := r.IntN(n)
			box[a] = Every(lo, lo+1+r.IntN(n-lo), 1+r.IntN(2))
		}
		before, ok := m.Before(box, domain)
		require.True(t, ok)
		all := Whole(domain)
		want := 0
		for i := range all.Len() {
			index, rest := make([]int, axes), i
			for a := axes - 1; a >= 0; a-- {
				index[a], rest = rest%domain[a], rest/domain[a]
			}
			at := make([]int, axes)
			for a := range at {
				at[a] = m.Start[a]
				for _, x := range m.Terms[a] {
					at[a] += x.Step * index[x.Axis]
				}
			}
			in := box.Has(at)
			require.Equal(t, in, before != nil && before.Has(index), "%v of %v in %v", index, m, box)
			if in {
				want++
			}
		}
		if before == nil {
			require.Zero(t, want)
			continue
		}
		require.Equal(t, want, before.Len())
		if inner := before; inner.Len() > 0 {
			require.Equal(t, inner.Shape(), inner.Within(all).Shape())
			k := 0
			inner.Within(inner).Runs(inner.Shape(), func(at, n, _ int) {
				require.Equal(t, k, at)
				k += n
			})
			require.Equal(t, inner.Len(), k)
		}
	}
}

// TestBeforeOneElement: of a domain without axes, its one element is before the box that has it, and nothing before
// others.
func TestBeforeOneElement(t *testing.T) {
	m, ok := View{Offset: 4}.Over([]int{6})
	require.True(t, ok)
	for at := range 6 {
		before, ok := m.Before(Box{Span(at, at+1)}, nil)
		require.True(t, ok)
		require.Equal(t, at == 4, before != nil)
	}
}
