package scan

import "github.com/arrayrepl/arrayrepl/kir"

// Line scans src into dst, which may be src itself, as the kernels of form f scan a line: with the same combinations in
// the same order. It needs no operator's identity.
func Line[T any](f Form, dst, src []T, op func(x, y T) T) {
	if len(src) == 0 {
		return
	}
	carries := Totals(f, src, op)
	Line(f, carries, carries, op)
	for t := range len(carries) + 1 {
		lo, hi := t*f.Tile(), min((t+1)*f.Tile(), len(src))
		if t == 0 {
			Tile(f, dst[lo:hi], src[lo:hi], nil, op)
		} else {
			Tile(f, dst[lo:hi], src[lo:hi], &carries[t-1], op)
		}
	}
}

// Totals are those of all tiles of a line but the last.
func Totals[T any](f Form, src []T, op func(x, y T) T) []T {
	size := f.Tile()
	out := make([]T, max((len(src)-1)/size, 0))
	r := newRoom[T](f)
	for t := range out {
		r.groups(f, src[t*size:(t+1)*size], op)
		out[t] = r.warps[len(r.warps)-1]
	}
	return out
}

// Tile scans a tile, or the beginning of one, into dst, with carry before it where there is one.
func Tile[T any](f Form, dst, src []T, carry *T, op func(x, y T) T) {
	r := newRoom[T](f)
	r.groups(f, src, op)
	for g := range (len(src) + f.Each - 1) / f.Each {
		lo, hi := g*f.Each, min((g+1)*f.Each, len(src))
		var acc T
		has := carry != nil
		if has {
			acc = *carry
		}
		put := func(x T) {
			if has {
				x = op(acc, x)
			}
			acc, has = x, true
		}
		lane, warp := g%kir.WarpSize, g/kir.WarpSize
		if warp > 0 {
			put(r.warps[warp-1])
		}
		if f.Each == 1 {
			put(r.lanes[g])
			dst[lo] = acc
			continue
		}
		if lane > 0 {
			put(r.lanes[g-1])
		}
		for i := lo; i < hi; i++ {
			put(src[i])
			dst[i] = acc
		}
	}
}

// room has what the threads of a block have: each the total of its warp's lanes up to its own, and the warps the total
// of the warps up to theirs.
type room[T any] struct{ lanes, warps []T }

func newRoom[T any](f Form) room[T] {
	return room[T]{make([]T, f.Threads), make([]T, f.Threads/kir.WarpSize)}
}

func (r room[T]) groups(f Form, src []T, op func(x, y T) T) {
	n := 0
	for ; n*f.Each < len(src); n++ {
		group := src[n*f.Each : min((n+1)*f.Each, len(src))]
		acc := group[0]
		for _, x := range group[1:] {
			acc = op(acc, x)
		}
		r.lanes[n] = acc
	}
	warps := (n + kir.WarpSize - 1) / kir.WarpSize
	for w := range warps {
		warp := r.lanes[w*kir.WarpSize : min((w+1)*kir.WarpSize, n)]
		steps(warp, op)
		r.warps[w] = warp[len(warp)-1]
	}
	steps(r.warps[:warps], op)
}

// steps are those of Hillis and Steele, the last number first, so that each reads what was there before.
func steps[T any](x []T, op func(x, y T) T) {
	for d := 1; d < len(x); d *= 2 {
		for i := len(x) - 1; i >= d; i-- {
			x[i] = op(x[i-d], x[i])
		}
	}
}
