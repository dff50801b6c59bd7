package partition

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// The judge of everything here is a set of indices, written as text.
type set map[string]bool

// each calls f with every index of a shape, in C order.
func each(shape []int, f func(index []int)) {
	index := make([]int, len(shape))
	for {
		f(index)
		a := len(shape) - 1
		for ; a >= 0; a-- {
			if index[a]++; index[a] < shape[a] {
				break
			}
			index[a] = 0
		}
		if a < 0 {
			return
		}
	}
}

func elements(shape []int, b Box) set {
	s := set{}
	if sizeOf(shape) == 0 {
		return s
	}
	each(shape, func(i []int) {
		in := true
		for a, r := range b { // by its definition, not by Has
			found := false
			for k := r.Start; k < r.Stop; k += r.Step {
				found = found || k == i[a]
			}
			in = in && found
		}
		if in {
			s[fmt.Sprint(i)] = true
		}
	})
	return s
}

func randomShape(r *rand.Rand, axes int) []int {
	shape := make([]int, axes)
	for a := range shape {
		shape[a] = 1 + r.IntN(9)
	}
	return shape
}

func randomBox(r *rand.Rand, shape []int) Box {
	b := make(Box, len(shape))
	for a, n := range shape {
		lo := r.IntN(n)
		b[a] = Every(lo, lo+r.IntN(n-lo)+1, 1+r.IntN(4))
		if r.IntN(40) == 0 {
			b[a] = Range{}
		}
	}
	return b
}

func TestBoxesAreSets(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		shape := randomShape(r, r.IntN(4))
		x, y := randomBox(r, shape), randomBox(r, shape)
		sx, sy := elements(shape, x), elements(shape, y)
		both, contained := set{}, true
		for i := range sy {
			if sx[i] {
				both[i] = true
			}
			contained = contained && sx[i]
		}
		say := fmt.Sprintf("seed %d: %v and %v", seed, x, y)
		require.Equal(t, both, elements(shape, x.Meet(y)), say)
		require.Equal(t, len(both) > 0, x.Meets(y), say)
		require.Equal(t, contained, x.Contains(y), say)
		require.Equal(t, len(sx), x.Len(), say)
		rest := set{}
		for _, part := range x.Without(y) {
			for i := range elements(shape, part) {
				require.False(t, rest[i], "%s: element %s is in two parts of the difference", say, i)
				rest[i] = true
			}
		}
		want := set{}
		for i := range sx {
			if !sy[i] {
				want[i] = true
			}
		}
		require.Equal(t, want, rest, say)
		hull := x.Hull(y)
		require.Equal(t, hull.Len(), x.HullLen(y))
		require.True(t, hull.Contains(x) && hull.Contains(y), "%s: hull %v", say, hull)
		smallest(t, hull, union(shape, sx, sy), shape, say)

		// Packed elements, run by run.
		if x.Len() > 0 {
			var got, all []int
			x.Runs(shape, func(at, n, before int) {
				require.Equal(t, len(got), before, say)
				for k := range n {
					got = append(got, at+k)
				}
			})
			n := 0
			each(shape, func(i []int) {
				if x.Has(i) {
					all = append(all, n)
				}
				n++
			})
			require.Equal(t, all, got, say)
			at, together := x.Run(shape)
			require.Equal(t, all[0], at, say)
			require.Equal(t, all[len(all)-1]-all[0]+1 == len(all), together, "%s in %v", say, shape)
		}
	}
}

func union(shape []int, sets ...set) [][]int {
	var out [][]int
	each(shape, func(i []int) {
		for _, s := range sets {
			if s[fmt.Sprint(i)] {
				out = append(out, slices.Clone(i))
				return
			}
		}
	})
	return out
}

// smallest checks that no range of box could begin later, end sooner or have a longer step.
func smallest(t *testing.T, box Box, of [][]int, shape []int, say string) {
	t.Helper()
	for a := range shape {
		if len(of) == 0 {
			require.Zero(t, box.Len(), say)
			return
		}
		lo, hi, step := of[0][a], of[0][a], 0
		for _, i := range of {
			lo, hi = min(lo, i[a]), max(hi, i[a])
			step = gcd(step, i[a]-of[0][a])
		}
		require.Equal(t, Range{lo, hi + 1, max(step, 1)}, box[a], "%s, axis %d", say, a)
	}
}

// Maps of all kinds that operations have: the image of a box is what one finds by going over its elements.
func TestImagesAreSets(t *testing.T) {
	exact, not := 0, 0
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 2))
		domain := randomShape(r, 1+r.IntN(4))
		part := randomBox(r, domain)
		v := randomView(r, domain)
		flat := []int{1}
		lo, hi := v.Offset, v.Offset
		for d, s := range v.Strides {
			lo, hi = lo+min(0, s*(domain[d]-1)), hi+max(0, s*(domain[d]-1))
		}
		v.Offset -= lo
		flat[0] = hi - lo + 1 + r.IntN(3)
		root := flat
		for _, cols := range []int{2, 3, 4, 5, 6, 12} {
			if r.IntN(2) == 0 {
				root = []int{(flat[0] + cols - 1) / cols, cols}
				break
			}
		}
		m, ok := v.Over(root)
		if !ok {
			root = []int{sizeOf(root)}
			m, ok = v.Over(root)
			require.True(t, ok, "seed %d: a root of one axis takes every view", seed)
		}
		say := fmt.Sprintf("seed %d: %+v of %v, part %v", seed, v, root, part)
		box, full := m.Image(part)
		seen := set{}
		var list [][]int
		store := View{}
		if part.Len() > 0 {
			store = m.In(box, part)
		}
		packed := map[int]int{} // where packed elements were
		n, k := 0, 0
		each(root, func(i []int) {
			if box.Has(i) {
				packed[n] = k
				k++
			}
			n++
		})
		sub := v.Part(part)
		each(domain, func(i []int) {
			if !part.Has(i) {
				return
			}
			at, short, in := v.Offset, sub.Offset, store.Offset
			for d, s := range v.Strides {
				at += s * i[d]
				short += sub.Strides[d] * ((i[d] - part[d].Start) / part[d].Step)
				in += store.Strides[d] * ((i[d] - part[d].Start) / part[d].Step)
			}
			require.Equal(t, at, short, say)
			require.Equal(t, packed[at], in, say)
			index := []int{at}
			if len(root) == 2 {
				index = []int{at / root[1], at % root[1]}
			}
			if !seen[fmt.Sprint(index)] {
				list = append(list, index)
			}
			seen[fmt.Sprint(index)] = true
		})
		require.Equal(t, box.Len() == len(seen), full, "%s: image %v of %d", say, box, len(seen))
		smallest(t, box, list, root, say)
		if full {
			exact++
		} else {
			not++
		}
	}
	require.Greater(t, exact, 1000)
	require.Greater(t, not, 300)
}

// randomView is a transpose, window, step, broadcast, reversal, diagonal or reshape of rows, or several at once.
func randomView(r *rand.Rand, domain []int) View {
	v := View{0, domain, make([]int, len(domain))}
	pitch := 1
	for _, d := range r.Perm(len(domain)) {
		switch r.IntN(8) {
		case 0: // the same everywhere
		case 1:
			v.Strides[d] = 1 + r.IntN(7)
		default:
			v.Strides[d] = pitch * (1 + r.IntN(3)%2)
			pitch *= domain[d] + r.IntN(3)
		}
		if r.IntN(4) == 0 {
			v.Strides[d] = -v.Strides[d]
		}
	}
	return v
}

func TestMapsOfOperations(t *testing.T) {
	whole := Box{Span(2, 4), Span(0, 5), Every(1, 8, 3)}
	for name, c := range map[string]struct {
		m    Map
		want Box
	}{
		"identity":    {Select(0, 1, 2), whole},
		"permutation": {Select(2, 0, 1), Box{whole[2], whole[0], whole[1]}},
		"broadcast":   {Select(-1, 1, 2), Box{Span(0, 1), whole[1], whole[2]}},
		"reduction":   {Select(0), Box{whole[0]}},
		"contraction": {Select(0, 2), Box{whole[0], whole[2]}},
		"window":      {Window([]int{1, 9, 0}, []int{1, -1, 2}), Box{Span(3, 5), Span(5, 10), Every(2, 16, 6)}},
	} {
		box, exact := c.m.Image(whole)
		require.True(t, exact, name)
		require.Equal(t, c.want, box, name)
	}
	require.True(t, Select(0, 2).Depends(2))
	require.False(t, Select(0, 2).Depends(1))
}

func TestPartitionsAreDisjointAndComplete(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 3))
		root := randomShape(r, 1+r.IntN(3))
		var p *Partition
		if r.IntN(2) == 0 {
			tile := make([]int, len(root))
			for a, n := range root {
				tile[a] = 1 + r.IntN(n)
			}
			p = Blocks(root, tile)
			require.True(t, p.Disjoint() && p.Complete(), "seed %d: blocks of %v", seed, root)
		} else {
			boxes := []Box{Whole(root)} // some taken apart, some beside
			for range r.IntN(6) {
				i := r.IntN(len(boxes))
				by := randomBox(r, root)
				rest := boxes[i].Without(by)
				boxes = append(slices.Delete(boxes, i, i+1), rest...)
				if r.IntN(3) > 0 {
					boxes = append(boxes, by)
				}
				if len(boxes) == 0 {
					boxes = append(boxes, by)
				}
			}
			p = Of(root, []int{len(boxes)}, boxes)
		}
		count := map[string]int{}
		for i := range p.Len() {
			for e := range elements(root, p.Box(p.Colour(i))) {
				count[e]++
			}
		}
		disjoint := true
		for _, n := range count {
			disjoint = disjoint && n == 1
		}
		require.Equal(t, len(count) == sizeOf(root), p.Complete(), "seed %d", seed)
		require.Equal(t, disjoint, p.Disjoint(), "seed %d", seed)
		b := randomBox(r, root)
		var want []int
		for i := range p.Len() {
			if p.Box(p.Colour(i)).Meet(b).Len() > 0 {
				want = append(want, i)
			}
		}
		require.Equal(t, want, p.Meeting(b), "seed %d: %v", seed, b)
	}
}

// z = x[:, None] + y[None, :] on four devices, from the Legate paper: two dependent partitions of two boxes each.
func TestDependentPartitions(t *testing.T) {
	p := Blocks([]int{100, 60}, []int{50, 30})
	x, to := p.Image(Select(0), []int{100})
	require.Equal(t, []int{2}, x.Colours)
	require.Equal(t, Projection{0}, to)
	y, toY := p.Image(Select(1), []int{60})
	require.Equal(t, Projection{1}, toY)
	require.Equal(t, Box{Span(50, 100)}, x.Box(to.Of([]int{1, 0})))
	require.Equal(t, Box{Span(0, 30)}, y.Box(toY.Of([]int{1, 0})))
	same, none := p.Image(Select(-1), []int{1})
	require.Equal(t, 1, same.Len())
	require.Empty(t, none.Of([]int{1, 1}))
	halo, _ := p.Image(Window([]int{1, 0}, []int{1, 1}), []int{102, 60})
	require.Equal(t, Box{Span(51, 101), Span(30, 60)}, halo.Box([]int{1, 1}))
	require.Equal(t, []int{3, 0, 5}, Projection{1, -1, 0}.Of([]int{5, 3}))
}

func TestSchedules(t *testing.T) {
	one, all, both := Schedule{1}, Schedule{5}, Schedule{2}
	require.Equal(t, []int{5, 1, 3}, []int{one.Steps(5), all.Steps(5), both.Steps(5)})
	for i := range 5 {
		d, s := one.At(i)
		require.Equal(t, []int{0, i}, []int{d, s})
		d, s = all.At(i)
		require.Equal(t, []int{i, 0}, []int{d, s})
	}
	d, s := both.At(3)
	require.Equal(t, []int{1, 1}, []int{d, s})
}

// A hundred thousand boxes: what is done for each looks at a few others. It would take minutes if it looked at all.
func TestManyBoxes(t *testing.T) {
	testsize.InTurn(t, 0)
	p := Blocks([]int{3170, 3170}, []int{10, 10})
	require.Greater(t, p.Len(), 100_000)
	halo, _ := p.Image(Window([]int{0, 0}, []int{1, 1}), []int{3170, 3170})
	visited := 0
	x := halo.tree()
	for i := range 2000 {
		b, _ := x.At(i)
		x.meeting(b, func(int) bool { visited++; return true })
	}
	require.Equal(t, 2000, visited, "boxes that meet")
	require.True(t, p.Disjoint())
	require.True(t, p.Complete())
	require.Len(t, p.Meeting(Box{Span(5, 15), Span(5, 15)}), 4)
}
