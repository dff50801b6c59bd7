package arrays

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// parting says how q is meant.
type parting struct {
	weak    bool // a Go number
	skip    bool // of what is not NaN
	percent bool
}

// quantiles fills out: for each part of q the quantiles of all lines of x.
func (o orderOptions) quantiles(out *Array, in []*Array, how parting) {
	a := in[0]
	spec, _ := o.reduction(a.layout.Shape)
	lines, rows, n := linesOf(a, spec.Axes)
	if out.Size() == 0 {
		return
	}
	if n == 0 {
		out.Set(Full(math.NaN(), out.layout.Shape...).AsType(out.dtype))
		return
	}
	l := quantileLines{dtype: a.dtype, lines: lines, rows: rows, n: n, method: o.method, skip: how.skip, pick: orderOf(a.dtype).pick}
	l.partsOf(in[1], how)
	if o.weighted {
		out.Set(l.weighted(o.weights(in[2], a.layout.Shape, spec)).T().Reshape(out.layout.Shape...))
		return
	}
	l.fill(out)
}

// sortedQuantiles is quantiles for a line that is sorted.
func (o orderOptions) sortedQuantiles(out, q *Array, line SortedLine, how parting) {
	if out.Size() == 0 {
		return
	}
	l := quantileLines{dtype: line.DType, rows: 1, n: line.N, method: o.method, skip: how.skip, pick: line.pick}
	l.partsOf(q, how)
	l.fill(out)
}

// fill writes quantiles without weights.
func (l *quantileLines) fill(out *Array) {
	var result *Array // of shape rows, parts
	switch {
	case l.method.discrete:
		result = l.elements()
	case l.dtype.IsTime():
		result = l.betweenTimes()
	default:
		result = l.betweenNumbers(out.dtype)
	}
	out.Set(result.T().Reshape(out.layout.Shape...))
}

// quantileLines are rows of n elements each, and the parts that are asked for.
type quantileLines struct {
	dtype   DType
	lines   []byte
	rows, n int
	method  quantileMethod
	skip    bool
	pick    func(dst []byte, valid []int, src []byte, n int, want selected)
	parts   []float64 // from 0 to 1
	round   rounder   // to the dtype that places are computed in
}

// partsOf reads q.
func (l *quantileLines) partsOf(q *Array, how parting) {
	d := partsIn(Spec{DType: q.dtype, Weak: how.weak}, l.dtype)
	if how.percent && !how.weak && l.dtype.IsFloat() { // NumPy divides by 100 of the dtype of x
		d = Promote(d, l.dtype)
	}
	l.round = roundings[counted(d, l.n)]
	l.parts = q.Float64s()
	eachPolled(len(l.parts), poll, func(i int) {
		if l.parts[i] = l.round(l.parts[i]); how.percent {
			l.parts[i] = l.round(l.parts[i] / 100)
		}
	})
}

// elements are the quantiles that are elements.
func (l *quantileLines) elements() *Array {
	picked := newUnset(l.dtype, []int{l.rows, len(l.parts)})
	l.pick(picked.data, make([]int, l.rows), l.lines, l.n, selected{skip: l.skip, count: len(l.parts), places: func(valid int, to []int, poll func()) {
		eachPolled(len(l.parts), poll, func(i int) { to[i], _, _ = l.method.at(valid, l.parts[i], l.round) })
	}})
	return picked
}

// ends returns the elements before and behind each quantile, of shape rows, 2·parts, and how far it is between them.
func (l *quantileLines) ends() (ends *Array, between func(i int) float64) {
	count := len(l.parts)
	ends = newUnset(l.dtype, []int{l.rows, 2 * count})
	valid := make([]int, l.rows)
	l.pick(ends.data, valid, l.lines, l.n, selected{skip: l.skip, count: 2 * count, places: func(valid int, to []int, poll func()) {
		eachPolled(count, poll, func(i int) { to[2*i], to[2*i+1], _ = l.method.at(valid, l.parts[i], l.round) })
	}})
	known, of := -1, make([]float64, count) // for rows with so many elements
	return ends, func(i int) float64 {
		if n := valid[i/count]; n != known && n > 0 {
			known = n
			eachPolled(count, poll, func(k int) { _, _, of[k] = l.method.at(n, l.parts[k], l.round) })
		}
		return of[i%count]
	}
}

// betweenTimes are quantiles of dates and spans, cut to whole units.
func (l *quantileLines) betweenTimes() *Array {
	ends, between := l.ends()
	result := newUnset(l.dtype, []int{l.rows, len(l.parts)})
	to, of := elements[int64](result.data), elements[int64](ends.data)
	eachPolled(len(to), poll, func(i int) {
		lo, hi, t := of[2*i], of[2*i+1], between(i)
		switch span := float64(hi - lo); {
		case lo == notATime:
			to[i] = notATime
		case t >= 0.5:
			to[i] = hi - int64(span*(1-t))
		default:
			to[i] = lo + int64(span*t)
		}
	})
	return result
}

// betweenNumbers are quantiles of numbers in dtype d, rounded at each step as NumPy does.
func (l *quantileLines) betweenNumbers(d DType) *Array {
	ends, between := l.ends()
	of := elements[float64](ends.AsType(Float64).data)
	distance := func(i int) float64 { return of[i+1] - of[i] }
	switch {
	case l.dtype.IsInt(): // exactly
		wide := Int64
		if l.dtype.IsUnsigned() {
			wide = Uint64
		}
		whole := elements[uint64](ends.AsType(wide).data)
		distance = func(i int) float64 { return float64(whole[i+1] - whole[i]) }
	case l.dtype.IsFloat():
		round := roundings[l.dtype]
		distance = func(i int) float64 { return round(of[i+1] - of[i]) }
	}
	round := roundings[d]
	result := newUnset(Float64, []int{l.rows, len(l.parts)})
	to := elements[float64](result.data)
	eachPolled(len(to), poll, func(i int) {
		lo, hi, t := of[2*i], of[2*i+1], between(i)
		switch {
		case t == 0 || lo == hi && math.IsInf(lo, 0): // also where the distance is infinite, or none
			to[i] = lo
		case t == 1:
			to[i] = hi
		case t >= 0.5:
			to[i] = round(hi - round(distance(2*i)*l.round(1-t)))
		default:
			to[i] = round(lo + round(distance(2*i)*t))
		}
	})
	return result.AsType(d)
}

// weighted are the quantiles of weighted elements, the first up to which the part of the weights, summed up in float64,
// is q or more.
func (l *quantileLines) weighted(weights []float64) *Array {
	result := newUnset(l.dtype, []int{l.rows, len(l.parts)})
	places := make([]int64, l.rows*l.n)
	orderOf(l.dtype).argsort(places, l.lines, l.n)
	none := IsNaN(FromBytes(l.dtype, []int{l.rows, l.n}, l.lines)).data
	sums, size := make([]float64, l.n), l.dtype.Size()
	for row := range l.rows {
		first, order := row*l.n, places[row*l.n:(row+1)*l.n]
		n := l.n
		for n > 0 && none[first+int(order[n-1])] != 0 {
			n--
		}
		sum := 0.0
		eachPolled(n, poll, func(i int) {
			sum += weights[first+int(order[i])]
			sums[i] = sum
		})
		for i := range sums[:n] {
			sums[i] = l.round(sums[i] / sum)
		}
		eachPolled(len(l.parts), poll, func(k int) {
			q, at := l.parts[k], l.n-1 // of a NaN
			if n == l.n || l.skip && n > 0 {
				// weights of 0 before all others count for none
				at = sort.Search(n-1, func(i int) bool { return !(sums[i] < q || sums[i] == 0) })
			}
			copy(result.data[(row*len(l.parts)+k)*size:], l.lines[(first+int(order[at]))*size:][:size])
		})
	}
	return result
}

// weightAxes returns the axes that weights are along, those of the whole shape or those that are named.
func (o orderOptions) weightAxes(w Spec, shape []int) ([]int, error) {
	if !w.DType.IsNumber() || w.DType.IsComplex() {
		return nil, &Error{Msg: fmt.Sprintf("%v are not weights; give real numbers", w.DType)}
	}
	var axes, along []int
	for _, axis := range o.axes {
		k, _ := normalAxis(axis, shape)
		axes, along = append(axes, k), append(along, shape[k])
	}
	switch {
	case slices.Equal(w.Shape, shape):
		return nil, nil
	case o.axes == nil || !slices.Equal(w.Shape, along):
		return nil, &Error{Shapes: [][]int{shape, w.Shape}, Msg: fmt.Sprintf(
			"weights of shape %s do not fit shape %s; give as many, or name the axes that they are for", shapeString(w.Shape), shapeString(shape))}
	}
	return axes, nil
}

// weights returns those of the lines.
func (o orderOptions) weights(w *Array, shape []int, spec ReduceSpec) []float64 {
	axes, _ := o.weightAxes(Spec{DType: w.dtype, Shape: w.layout.Shape}, shape)
	if w = w.AsType(Float64); axes != nil {
		order, ones := make([]int, len(axes)), slices.Repeat([]int{1}, len(shape))
		for i := range order {
			order[i] = i
			ones[axes[i]] = shape[axes[i]]
		}
		slices.SortFunc(order, func(i, j int) int { return axes[i] - axes[j] })
		if len(order) > 0 {
			w = w.T(order)
		}
		w = BroadcastTo(w.Reshape(ones...), shape...)
	}
	lines, _, _ := linesOf(w, spec.Axes)
	out := elements[float64](lines)
	for _, v := range out {
		if !(v >= 0) {
			check(o.op, &Error{Msg: fmt.Sprintf("the weight %v is negative or NaN; weights are 0 or more", v)})
		}
	}
	return out
}
