package dp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// ScanRecords is [Scan] of records by an operator that [Op] has made of a function of two of them: at i the combination
// of records 0 to i, in their order. Each column of the result is a scan of its own, made when something needs it.
func ScanRecords(op *Operator, r *np.Records, opts ...Option) *np.Records {
	return scannedRecords("dp.ScanRecords", op, r, nil, false, opts)
}

// ScanRecordsEx is the exclusive [ScanRecords]: at i the combination of records 0 to i-1, at 0 the identity.
func ScanRecordsEx(op *Operator, r *np.Records, opts ...Option) *np.Records {
	return scannedRecords("dp.ScanRecordsEx", op, r, nil, true, opts)
}

// SegScanRecords is [ScanRecords] of each segment by itself.
func SegScanRecords(op *Operator, r *np.Records, s *Segments, opts ...Option) *np.Records {
	const name = "dp.SegScanRecords"
	if r == nil {
		check(name, fmt.Errorf("the records are nil; were they never assigned?"))
	}
	return scannedRecords(name, op, r, s.of(name, r.Columns()[0]), false, opts)
}

func scannedRecords(name string, op *Operator, r *np.Records, heads *np.Array, exclusive bool, opts []Option) *np.Records {
	var o options
	for _, option := range opts {
		option.set(&o)
	}
	if o.form != (scan.Form{}) {
		check(name, o.form.Check())
	}
	if o.form.Packed {
		check(name, fmt.Errorf("flags of segments of records are not packed: leave dp.PackedFlags out"))
	}
	if len(o.axis) > 0 {
		check(name, fmt.Errorf("an axis is named; records have one axis: leave it out"))
	}
	by := op.onRecords(name, r)
	if exclusive && by.Identity == nil {
		check(name, fmt.Errorf("an exclusive scan begins with the operator's identity: give it to dp.Op(%s, identity)", op.name))
	}
	columns := r.Columns()
	out := make([]*np.Array, len(columns))
	for k := range columns {
		out[k] = scannedColumn(name, op, by, columns, heads, exclusive, o, k)
	}
	return r.With(out...)
}

// scannedColumn scans records, and returns column k of what they become.
func scannedColumn(name string, op *Operator, by scan.Op, columns []*np.Array, heads *np.Array, exclusive bool, o options, k int) *np.Array {
	d := columns[k].DType()
	s := scan.Spec{Op: by, Form: o.form, Exclusive: exclusive}
	first := 0
	if heads != nil {
		s.Op, first = scan.Segmented(by), 1
		columns = append([]*np.Array{heads}, columns...)
	}
	s.Lower = func(b *kir.Builder, state, _ []*kir.Value) []*kir.Value {
		return []*kir.Value{b.Convert(kirTypes[d], state[first+k])}
	}
	return np.Wiring{}.ScanBy(kernelcall.Scan[np.Array]{
		Name: strings.ToLower(strings.TrimPrefix(name, "dp.")) + "_" + op.name, Spec: s, Xs: columns, DType: d, Axis: o.axis,
		Key: recordKey{op, k},
	})
}

// recordKey tells operators of one name apart, and the columns that kernels write.
type recordKey struct {
	op     *Operator
	column int
}

// onRecords returns o for the numbers of r.
func (o *Operator) onRecords(op string, r *np.Records) scan.Op {
	switch {
	case o == nil:
		check(op, fmt.Errorf("the operator is nil; was it never assigned?"))
	case r == nil:
		check(op, fmt.Errorf("the records are nil; were they never assigned?"))
	case o.combiner == nil:
		check(op, fmt.Errorf("%s combines numbers; give dp.Op a function of two values of %v, or scan a column: r.Column(%q)", o.name, r.Type(), r.Names()[0]))
	}
	var parts []kir.Type
	for _, c := range r.Columns() {
		parts = append(parts, kirTypes[c.DType()])
	}
	if !slices.Equal(parts, o.combiner.Parts) || !slices.Equal(r.Offsets(), o.combiner.Offsets) {
		check(op, fmt.Errorf("the records are of type %v, which is not what %s combines", r.Type(), o.name))
	}
	s := scan.Op{Name: o.name, State: parts, Identity: o.identityBits}
	s.Combine = func(b *kir.Builder, x, y []*kir.Value) []*kir.Value {
		out, err := o.combiner.Emit(b, x, y)
		check(o.name, err) // it has been compiled before
		return out
	}
	return s
}

// checkRecords is [CheckOp] of an operator of records.
func checkRecords(op *Operator, samples any) error {
	const name = "dp.CheckOp"
	r, ok := samples.(*np.Records)
	if !ok {
		r = np.RecordsOf(samples)
	}
	by := op.onRecords(name, r)
	n := min(r.Len(), mostSamples/2)
	if n == 0 {
		return nil
	}
	along := func(axis int) []*np.Array { // the samples, as one of three axes
		shape := []int{1, 1, 1}
		shape[axis] = n
		out := r.Columns()
		for k, c := range out {
			out[k] = np.BroadcastTo(c.At(np.S(0, n)).Reshape(shape...), n, n, n).Reshape(-1)
		}
		return out
	}
	apply := func(x, y []*np.Array) []*np.Array { // as scans of two
		pairs, out := make([]*np.Array, len(x)), make([]*np.Array, len(x))
		for k := range x {
			pairs[k] = np.Stack(1, x[k], y[k])
		}
		for k := range out {
			out[k] = scannedColumn(name, op, by, pairs, nil, false, options{axis: []int{1}}, k).At(np.All, 1)
		}
		return out
	}
	value := func(columns []*np.Array, i int) any { return r.With(columns...).At(i) }
	x, y, z := along(0), along(1), along(2)
	left, right := apply(apply(x, y), z), apply(x, apply(y, z))
	for k := range left {
		if i, differ := firstDifference(left[k], right[k], n*n*n); differ {
			p, q, s := value(x, i), value(y, i), value(z, i)
			return &np.Error{Op: name, Msg: fmt.Sprintf("%s is not associative: %s(%s(%v, %v), %v) is %v, %s(%v, %s(%v, %v)) is %v; a scan needs an operator for which they are the same",
				op, op, op, p, q, s, value(left, i), op, p, op, q, s, value(right, i))}
		}
	}
	if op.identity == nil {
		return nil
	}
	same := np.RecordsOf(listOf(op.identity)).Columns()
	for k, c := range same {
		same[k] = np.BroadcastTo(c, n*n*n).Copy()
	}
	for _, got := range [][]*np.Array{apply(same, x), apply(x, same)} {
		for k := range got {
			if i, differ := firstDifference(got[k], x[k], n*n*n); differ {
				return &np.Error{Op: name, Msg: fmt.Sprintf("%v is not the identity of %s: with %v it gives %v", op.identity, op, value(x, i), value(got, i))}
			}
		}
	}
	return nil
}
