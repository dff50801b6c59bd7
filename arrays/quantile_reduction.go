package arrays

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// orderOptions are the options of medians and quantiles.
type orderOptions struct {
	op       string
	reduce   []ReduceOption
	axes     []int // in the order in which they are named; nil for all
	method   quantileMethod
	weighted bool
}

// orderOptionsOf reads options; medians have axes alone.
func orderOptionsOf[T any](op string, opts []T, quantile bool) (o orderOptions, err error) {
	o.op = op
	name := QuantileLinear
	allowed := "give axes as ints, Axis(...) or KeepDims()"
	if quantile {
		allowed = "give axes as ints, Axis(...), KeepDims(), a QuantileMethod or Weights(...)"
	}
	for _, opt := range opts {
		switch opt := any(opt).(type) {
		case int:
			o.reduce = append(o.reduce, Axis(opt))
		case []int:
			o.reduce = append(o.reduce, Axis(opt...))
		case reduceOption:
			o.reduce = append(o.reduce, opt)
		case QuantileMethod:
			name = opt
			if !quantile {
				return o, &Error{Msg: fmt.Sprintf("a median has no QuantileMethod; %s, or call Quantile", allowed)}
			}
		case WeightOption:
			if o.weighted = true; !quantile {
				return o, &Error{Msg: fmt.Sprintf("a median has no Weights; %s, or call Quantile with QuantileInvertedCDF", allowed)}
			}
		case string:
			return o, &Error{Msg: fmt.Sprintf("%.60q is not an option; %s, as QuantileMethod(%.60q)", opt, allowed, opt)}
		default:
			return o, &Error{Msg: fmt.Sprintf("%s is not an option; %s", brief.Type(opt), allowed)}
		}
	}
	told, err := readOptions(o.reduce)
	if err != nil {
		return o, err
	}
	if told.ddof != 0 || told.lengths != nil || told.scaled != "" {
		return o, &Error{Msg: "DDof, Length and Scaled are for other functions; " + allowed}
	}
	if told.some {
		o.axes = append([]int{}, told.axes...)
	}
	if o.method, err = methodOf(name); err != nil {
		return o, err
	}
	if o.weighted && name != QuantileInvertedCDF {
		return o, &Error{Msg: fmt.Sprintf("Weights are for QuantileInvertedCDF alone, not for %.60q; name it as an option", string(name))}
	}
	return o, nil
}

// reduction says what an array of a shape is reduced to.
func (o orderOptions) reduction(shape []int) (ReduceSpec, error) {
	spec, err := ReduceMean.Resolve(Float64, shape, o.reduce...)
	if err != nil {
		return spec, asOp(o.op, err)
	}
	return spec, nil
}

// reduced returns the axes that are reduced.
func (o orderOptions) reduced(shape []int) []int {
	spec, err := o.reduction(shape)
	check(o.op, err)
	return spec.Axes
}

// linesOf returns the elements of a that are reduced to one as a row each, contiguous: they are last.
func linesOf(a *Array, reduced []int) (lines []byte, rows, n int) {
	var order []int
	rows, n = 1, 1
	for axis, size := range a.layout.Shape {
		if !slices.Contains(reduced, axis) {
			order, rows = append(order, axis), rows*size
		}
	}
	for _, axis := range reduced {
		order, n = append(order, axis), n*a.layout.Shape[axis]
	}
	if len(order) > 0 {
		a = a.T(order)
	}
	if !a.layout.IsContiguous() {
		a = a.Copy()
	}
	return contents(a), rows, n
}

// Median is the routine of [Median] and [NanMedian], which op names.
func (Routines) Median(op string, opts []ReduceOption) Routine {
	o, bad := orderOptionsOf(op, opts, false)
	skip := strings.HasPrefix(op, "nan")
	return Routine{
		Name:  op,
		Whole: true,
		Resolve: func(in []Spec) (Spec, error) {
			if bad != nil {
				return Spec{}, bad
			}
			operand := Operand{DType: in[0].DType}
			if _, _, err := opAdd.dtypes([]Operand{operand, operand}); err != nil { // the middle two are added
				return Spec{}, asOp(op, err)
			}
			d, _, _ := reduceMean(in[0].DType)
			spec, err := o.reduction(in[0].Shape)
			return Spec{DType: d, Shape: spec.OutShape}, err
		},
		Run: func(out *Array, in []*Array) {
			a := in[0]
			spec, _ := o.reduction(a.layout.Shape)
			lines, rows, n := linesOf(a, spec.Axes)
			if rows == 0 {
				return
			}
			if n == 0 {
				out.Set(Mean(New(a.dtype, rows, 0), Axis(1)).Reshape(spec.OutShape...))
				return
			}
			middle := medians{dtype: a.dtype, rows: rows, n: n, skip: skip, pick: orderOf(a.dtype).pick}
			out.Set(middle.of(lines).Reshape(spec.OutShape...))
		},
		Sorted: func(out *Array, _ []*Array, line SortedLine) {
			middle := medians{dtype: line.DType, rows: 1, n: line.N, skip: skip, pick: line.pick}
			out.Set(middle.of(nil).Reshape(out.layout.Shape...))
		},
		Reduced: o.reduced,
	}
}

// medians are those of rows of n elements each, one at least.
type medians struct {
	dtype   DType
	rows, n int
	skip    bool // NaNs
	pick    func(dst []byte, valid []int, src []byte, n int, want selected)
}

func (m medians) of(lines []byte) *Array {
	want := selected{skip: m.skip, count: 2 - m.n%2, places: func(valid int, to []int, _ func()) {
		to[0] = (valid - 1) / 2
		if len(to) > 1 {
			to[1] = valid / 2
		}
	}}
	if m.skip {
		want.count = 2
	}
	middle, valid := newUnset(m.dtype, []int{m.rows, want.count}), make([]int, m.rows)
	m.pick(middle.data, valid, lines, m.n, want)
	median := Mean(middle, Axis(1))
	// one alone is itself, though twice that may be too large
	if slices.ContainsFunc(valid, func(v int) bool { return v%2 == 1 && want.count == 2 }) {
		median = Where(Remainder(FromSlice(valid), 2).Equal(1), middle.At(All, 0).AsType(median.dtype), median)
	}
	return median
}

// Quantile is the routine of [Quantile] and its kin, which op names. Its operands are x, q and the weights, if
// there are any; q is given here too, so that what it has out of range is an error at once.
func (Routines) Quantile(op string, q any, opts []QuantileOption) Routine {
	o, bad := orderOptionsOf(op, opts, true)
	skip, percent := strings.HasPrefix(op, "nan"), strings.HasSuffix(op, "percentile")
	weak := false
	if _, later := q.(interface{ Array() *Array }); !later && bad == nil {
		if a, number, err := AsArray(q); err == nil && a.dtype.IsNumber() && !a.dtype.IsComplex() {
			weak, bad = number, checkParts(a, percent, skip)
		}
	}
	how := parting{weak: weak, skip: skip, percent: percent}
	r := Routine{
		Name:  op,
		Whole: true,
		Resolve: func(in []Spec) (Spec, error) {
			if bad != nil {
				return Spec{}, bad
			}
			return o.resolve(in, skip)
		},
		Run: func(out *Array, in []*Array) {
			check(op, checkParts(in[1], percent, skip))
			o.quantiles(out, in, how)
		},
	}
	if !o.weighted {
		r.Reduced = o.reduced
		r.Sorted = func(out *Array, in []*Array, line SortedLine) {
			check(op, checkParts(in[1], percent, skip))
			o.sortedQuantiles(out, in[1], line, how)
		}
	}
	return r
}

func (o orderOptions) resolve(in []Spec, skip bool) (Spec, error) {
	x, q := in[0], in[1]
	switch {
	case x.DType.IsComplex() || x.DType.IsString():
		return Spec{}, &Error{Shapes: [][]int{x.Shape}, Msg: fmt.Sprintf("elements of %v cannot be interpolated; give real numbers, dates or spans", x.DType)}
	case !q.DType.IsNumber() || q.DType.IsComplex():
		return Spec{}, &Error{Msg: fmt.Sprintf("%v are not quantiles; q is a number or an array of numbers", q.DType)}
	case len(q.Shape) > 2:
		return Spec{}, &Error{Shapes: [][]int{q.Shape}, Msg: fmt.Sprintf("q has shape %s; it is a number, a 1-D array or a matrix", shapeString(q.Shape))}
	}
	spec, err := o.reduction(x.Shape)
	if err != nil {
		return Spec{}, err
	}
	n := 1
	for _, axis := range spec.Axes {
		n *= x.Shape[axis]
	}
	if n == 0 && !skip {
		return Spec{}, &Error{Shapes: [][]int{x.Shape}, Msg: "there are no elements along the axis; check Size before"}
	}
	if o.weighted {
		if _, err := o.weightAxes(in[2], x.Shape); err != nil {
			return Spec{}, err
		}
	}
	d := x.DType
	switch {
	case d.IsTime() || o.method.discrete && n > 0:
	case d.IsBool() || n == 0 && !d.IsFloat():
		d = Float64
	default:
		d = Promote(d, partsIn(q, d))
	}
	return Spec{DType: d, Shape: slices.Concat(q.Shape, spec.OutShape)}, nil
}

// partsIn is the dtype of the parts q of elements of dtype d: a Go number is of that of floats.
func partsIn(q Spec, d DType) DType {
	switch {
	case q.Weak && d.IsFloat():
		return d
	case q.DType.IsFloat():
		return q.DType
	}
	return Float64
}

// checkParts refuses what is out of range.
func checkParts(q *Array, percent, skip bool) error {
	for _, v := range q.Float64s() {
		switch {
		case percent && !(v >= 0 && v <= 100):
			return &Error{Msg: fmt.Sprintf("%v percent are not between 0 and 100", v)}
		case percent || v >= 0 && v <= 1:
		case skip:
			return &Error{Msg: fmt.Sprintf("the part %v is not between 0 and 1; for percents use NanPercentile", v)}
		default:
			return &Error{Msg: fmt.Sprintf("the part %v is not between 0 and 1; for percents use Percentile", v)}
		}
	}
	return nil
}
