package arrays

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// MatrixTranspose returns a view with the last two axes exchanged.
//
//mirror:copy
func MatrixTranspose(x ArrayLike) *Array {
	a := must("matrix_transpose", x)
	if a.NDim() < 2 {
		check("matrix_transpose", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes 2 axes or more"})
	}
	return a.SwapAxes(-1, -2)
}

// VecDot returns the sums of conj(x)*y along an axis of both, the last when none is named; the other axes broadcast.
//
//mirror:copy
func VecDot(x, y ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("vecdot", axis)
	a, b := must("vecdot", x), must("vecdot", y)
	k := optional("vecdot", "axes", axes, -1)
	if a.NDim() == 0 || b.NDim() == 0 {
		check("vecdot", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: "a single number has no axes; use Mul"})
	}
	a, b = a.MoveAxis(axisFor("vecdot", a, k), -1), b.MoveAxis(axisFor("vecdot", b, k), -1)
	if a.DType().IsComplex() {
		a = a.Conj()
	}
	out := MatMul(a.ExpandDims(-2), b.ExpandDims(-1))
	return out.At(Dots, 0, 0)
}

// Inner returns the sums of x*y along the last axes of both, for all pairs of the others.
//
//mirror:copy
func Inner(x, y ArrayLike) *Array {
	a, b := must("inner", x), must("inner", y)
	if a.NDim() == 0 || b.NDim() == 0 {
		return a.Mul(b)
	}
	return TensorDot(a, b, [][]int{{-1}, {-1}})
}

// TensorDot returns the sums of products over several axes of both. axes is a number n, for the last n of x and the
// first n of y, or two lists: [][]int{{1, 0}, {0, 1}} sums over axis 1 of x with axis 0 of y, and axis 0 of x with axis
// 1 of y.
//
//mirror:copy
func TensorDot(x, y ArrayLike, axes any) *Array {
	a, b := must("tensordot", x), must("tensordot", y)
	var left, right []int
	switch v := axes.(type) {
	case int:
		for i := range v {
			left, right = append(left, a.NDim()-v+i), append(right, i)
		}
	case [][]int:
		if len(v) == 2 {
			left, right = slices.Clone(v[0]), slices.Clone(v[1])
			break
		}
		check("tensordot", &Error{Msg: fmt.Sprintf("%d lists of axes are given; give one for each operand", len(v))})
	default:
		check("tensordot", &Error{Msg: fmt.Sprintf("%s names no axes; use an int, or [][]int{{...}, {...}}", brief.Type(axes))})
	}
	if len(left) != len(right) {
		check("tensordot", &Error{Msg: fmt.Sprintf("%d and %d axes are named; they go in pairs", len(left), len(right))})
	}
	rest := func(shape []int, summed []int) (kept, sizes []int) {
		for i, k := range summed {
			if k < 0 {
				k += len(shape)
			}
			if k < 0 || k >= len(shape) || slices.Contains(summed[:i], k) {
				check("tensordot", &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("axis %d of shape %s is not there, or named twice", summed[i], shapeString(shape))})
			}
			summed[i] = k
		}
		for k, size := range shape {
			if !slices.Contains(summed, k) {
				kept, sizes = append(kept, k), append(sizes, size)
			}
		}
		return kept, sizes
	}
	keptA, sizesA := rest(a.Shape(), left)
	keptB, sizesB := rest(b.Shape(), right)
	inner := 1
	for i, k := range left {
		if a.Shape()[k] != b.Shape()[right[i]] {
			check("tensordot", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: fmt.Sprintf(
				"shapes %s and %s do not go together: axis %d has %d elements, axis %d has %d", shapeString(a.Shape()), shapeString(b.Shape()), k, a.Shape()[k], right[i], b.Shape()[right[i]])})
		}
		inner *= a.Shape()[k]
	}
	if a.NDim() > 0 {
		a = a.T(slices.Concat(keptA, left))
	}
	if b.NDim() > 0 {
		b = b.T(slices.Concat(right, keptB))
	}
	rows, columns := 1, 1
	for _, n := range sizesA {
		rows *= n
	}
	for _, n := range sizesB {
		columns *= n
	}
	return MatMul(a.Reshape(rows, inner), b.Reshape(inner, columns)).Reshape(slices.Concat(sizesA, sizesB)...)
}

// Kron returns the Kronecker product: every element of x times the whole of y, side by side.
//
//mirror:copy
func Kron(x, y ArrayLike) *Array {
	a, b := must("kron", x), must("kron", y)
	n := max(a.NDim(), b.NDim())
	var left, right, shape []int
	for k := range n {
		p, q := 1, 1
		if i := k - n + a.NDim(); i >= 0 {
			p = a.Shape()[i]
		}
		if i := k - n + b.NDim(); i >= 0 {
			q = b.Shape()[i]
		}
		left, right, shape = append(left, p, 1), append(right, 1, q), append(shape, p*q)
	}
	return a.Reshape(left...).Mul(b.Reshape(right...)).Reshape(shape...)
}

// Cross returns the cross products of vectors of three elements along an axis, the last when none is named.
//
//mirror:copy
func Cross(x, y ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("cross", axis)
	a, b := must("cross", x), must("cross", y)
	k := optional("cross", "axes", axes, -1)
	a, b = a.MoveAxis(axisFor("cross", a, k), -1), b.MoveAxis(axisFor("cross", b, k), -1)
	if a.Shape()[a.NDim()-1] != 3 || b.Shape()[b.NDim()-1] != 3 {
		check("cross", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: "vectors have three elements along the axis"})
	}
	part := func(i, j int) *Array {
		return a.At(Dots, i).Mul(b.At(Dots, j)).Sub(a.At(Dots, j).Mul(b.At(Dots, i)))
	}
	return Stack(-1, part(1, 2), part(2, 0), part(0, 1)).MoveAxis(-1, k)
}

// Einsum returns a sum of products in Einstein's notation: "ij,jk->ik" is the matrix product, "ii" the trace,
// "bij,bjk->bik" many products, "...i,...i->..." dot products along the last axis. Letters name axes; those that the
// result lacks are summed. Without "->" the result has the letters that occur once, in alphabetical order. Operands are
// joined from the left to the right.
//
//mirror:copy
func Einsum(subscripts string, xs ...ArrayLike) *Array {
	xs = unlisted(xs)
	text := strings.ReplaceAll(subscripts, " ", "")
	inputs, result, explicit := strings.Cut(text, "->")
	terms := strings.Split(inputs, ",")
	if len(terms) != len(xs) {
		check("einsum", &Error{Msg: fmt.Sprintf("%.60q has %d operands, but %d are given", subscripts, len(terms), len(xs))})
	}
	// Axes under the dots get letters of their own, counted from the last: ①, ②, ...
	const dots = '\U000F0000'
	hidden := 0
	labels, operands := make([][]rune, len(xs)), make([]*Array, len(xs))
	size := map[rune]int{}
	for i, x := range xs {
		a := must("einsum", x)
		named := []rune(strings.Replace(terms[i], "...", "", 1))
		for _, r := range named {
			if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
				check("einsum", &Error{Msg: fmt.Sprintf("%q in %.60q names no axis; use letters, commas, ... and ->", r, subscripts)})
			}
		}
		extra := a.NDim() - len(named)
		if extra < 0 || extra > 0 && !strings.Contains(terms[i], "...") {
			check("einsum", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%.60q names %d axes of an operand of shape %s", terms[i], len(named), shapeString(a.Shape()))})
		}
		if before, after, ok := strings.Cut(terms[i], "..."); ok {
			named = []rune(before)
			for k := range extra {
				named = append(named, dots+rune(extra-1-k))
			}
			named = append(named, []rune(after)...)
			hidden = max(hidden, extra)
		}
		for k := 0; k < len(named); k++ { // a letter that an operand has twice is its diagonal
			first := slices.Index(named, named[k])
			if first == k {
				continue
			}
			if a.Shape()[first] != a.Shape()[k] {
				check("einsum", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%q stands for axes of %d and %d elements", named[k], a.Shape()[first], a.Shape()[k])})
			}
			r := named[k]
			a = a.MoveAxis(k, -1).MoveAxis(first, -2).Diagonal()
			named = append(slices.Delete(slices.Delete(named, k, k+1), first, first+1), r)
			k = -1
		}
		for k, r := range named {
			switch n := a.Shape()[k]; {
			case size[r] == 0 || size[r] == 1:
				size[r] = n
			case n != size[r] && n != 1:
				check("einsum", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%q stands for axes of %d and %d elements", r, size[r], n)})
			}
		}
		labels[i], operands[i] = named, a
	}
	var out []rune
	under := make([]rune, hidden)
	for k := range under {
		under[k] = dots + rune(hidden-1-k)
	}
	if explicit {
		before, after, ok := strings.Cut(result, "...")
		out = []rune(before)
		if ok {
			out = slices.Concat(out, under, []rune(after))
		}
	} else {
		count := map[rune]int{}
		for _, r := range strings.ReplaceAll(strings.Join(terms, ""), "...", "") {
			count[r]++
		}
		for r, n := range count {
			if n == 1 {
				out = append(out, r)
			}
		}
		slices.Sort(out)
		out = slices.Concat(under, out)
	}
	for i, r := range out {
		if _, ok := size[r]; !ok || slices.Contains(out[:i], r) {
			check("einsum", &Error{Msg: fmt.Sprintf("the result of %.60q has the axis %q twice, or no operand has it", subscripts, r)})
		}
	}
	for i := range operands { // axes of one element broadcast
		shape := operands[i].Shape()
		for k, r := range labels[i] {
			shape[k] = size[r]
		}
		operands[i] = BroadcastTo(operands[i], shape...)
	}
	keep := func(from int, r rune) bool { // is r still needed?
		return slices.Contains(out, r) || slices.ContainsFunc(labels[from:], func(l []rune) bool { return slices.Contains(l, r) })
	}
	reduce := func(i, from int) { // sums what operand i alone has
		var gone []int
		var left []rune
		for k, r := range labels[i] {
			if keep(from, r) {
				left = append(left, r)
			} else {
				gone = append(gone, k)
			}
		}
		if len(gone) > 0 {
			dtype := operands[i].DType()
			operands[i], labels[i] = Sum(operands[i], Axis(gone...)).AsType(dtype), left
		}
	}
	for i := 1; i < len(operands); i++ {
		a, b, la, lb := operands[i-1], operands[i], labels[i-1], labels[i]
		var batch, left, right, inner []rune
		for _, r := range la {
			switch {
			case !slices.Contains(lb, r):
				left = append(left, r)
			case keep(i+1, r):
				batch = append(batch, r)
			default:
				inner = append(inner, r)
			}
		}
		for _, r := range lb {
			if !slices.Contains(la, r) {
				right = append(right, r)
			}
		}
		if len(inner) == 0 { // nothing is summed: the axes stand side by side
			spread := func(a *Array, have []rune) *Array {
				var axes, shape []int
				for _, r := range slices.Concat(batch, left, right) {
					n := 1
					if k := slices.Index(have, r); k >= 0 {
						axes, n = append(axes, k), size[r]
					}
					shape = append(shape, n)
				}
				if len(axes) > 0 {
					a = a.T(axes)
				}
				return a.Reshape(shape...)
			}
			operands[i], labels[i] = spread(a, la).Mul(spread(b, lb)), slices.Concat(batch, left, right)
			continue
		}
		arrange := func(a *Array, have []rune, groups ...[]rune) *Array {
			if len(have) > 0 {
				var axes []int
				for _, g := range groups {
					for _, r := range g {
						axes = append(axes, slices.Index(have, r))
					}
				}
				a = a.T(axes)
			}
			var shape []int
			for k, g := range groups {
				n := 1
				for _, r := range g {
					n *= size[r]
					if k == 0 {
						shape = append(shape, size[r])
					}
				}
				if k > 0 {
					shape = append(shape, n)
				}
			}
			return a.Reshape(shape...)
		}
		product := MatMul(arrange(a, la, batch, left, inner), arrange(b, lb, batch, inner, right))
		labels[i] = slices.Concat(batch, left, right)
		shape := make([]int, len(labels[i]))
		for k, r := range labels[i] {
			shape[k] = size[r]
		}
		operands[i] = product.Reshape(shape...)
	}
	last := len(operands) - 1
	reduce(last, len(operands))
	if len(out) < 2 {
		return operands[last].Copy()
	}
	axes := make([]int, len(out))
	for k, r := range out {
		axes[k] = slices.Index(labels[last], r)
	}
	return operands[last].T(axes).Copy()
}

// Dot returns the dot product of two 1-D arrays, the product with a number, and otherwise the sums of products along
// the last axis of x and the second to last of y, or its only one, for all pairs of the other axes; of matrices that is
// [MatMul].
//
//mirror:copy
func Dot(x, y ArrayLike) *Array {
	a, b := must("dot", x), must("dot", y)
	if a.NDim() == 0 || b.NDim() == 0 {
		return a.Mul(b)
	}
	if b.NDim() > 1 && a.NDim()+b.NDim() > 4 || a.NDim() == 1 && b.NDim() > 2 {
		return TensorDot(a, b, [][]int{{-1}, {-2}})
	}
	return MatMul(a, b)
}

// Dot returns the product of a and y, as the function [Dot].
//
//mirror:copy
func (a *Array) Dot(y ArrayLike) *Array { return Dot(a, y) }

// Outer returns the products of every element of x with every element of y.
//
//mirror:copy
func Outer(x, y ArrayLike) *Array {
	return Mul(must("outer", x).Reshape(-1, 1), must("outer", y).Reshape(-1))
}

// VDot returns the sum of conj(x)*y over the elements of both, in C order.
//
//mirror:copy
func VDot(x, y ArrayLike) *Array {
	a, b := must("vdot", x).Reshape(-1), must("vdot", y).Reshape(-1)
	if a.Size() != b.Size() {
		check("vdot", &Error{Shapes: [][]int{must("vdot", x).Shape(), must("vdot", y).Shape()}, Msg: fmt.Sprintf("%d and %d elements do not go in pairs", a.Size(), b.Size())})
	}
	return VecDot(a, b)
}
