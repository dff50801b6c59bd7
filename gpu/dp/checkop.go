package dp

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// mostSamples is how many numbers CheckOp tries, all triples of them.
const mostSamples = 32

// CheckOp looks whether op is associative: it compares op(op(a, b), c) with op(a, op(b, c)) for all a, b and c of the
// first 32 samples, of records 16, on the device in use. The error has three values for which they differ; nil says
// that there are none among the samples. Floats may differ by what rounding explains, a part in 10⁹ of float64 and in
// 10⁴ of others.
// The identity, where op has one, must leave each sample as it is.
func CheckOp(op *Operator, samples any) error {
	const name = "dp.CheckOp"
	if op != nil && op.combiner != nil {
		return checkRecords(op, samples)
	}
	if op != nil && op.texts != nil {
		return op.checkTexts(name, samples)
	}
	a := array(name, samples).Reshape(-1)
	by, d := op.on(name, a.DType())
	if a = a.AsType(d); a.Size() > mostSamples {
		a = a.At(np.S(0, mostSamples))
	}
	n := a.Size()
	if n == 0 {
		return nil
	}
	x, y, z := a.Reshape(n, 1, 1), a.Reshape(1, n, 1), a.Reshape(1, 1, n)
	left, right := op.apply(op.apply(x, y), z), op.apply(x, op.apply(y, z))
	if k, ok := firstDifference(left, right, n*n*n); ok {
		value := func(i int) any { return a.At(i).Item() }
		p, q, r := value(k/(n*n)), value(k/n%n), value(k%n)
		l, g := left.Reshape(-1).At(k).Item(), right.Reshape(-1).At(k).Item()
		return &np.Error{Op: name, Msg: fmt.Sprintf("%s is not associative: %s(%s(%v, %v), %v) is %v, %s(%v, %s(%v, %v)) is %v; a scan needs an operator for which they are the same",
			op, op, op, p, q, r, l, op, p, op, q, r, g)}
	}
	if by.Identity == nil {
		return nil
	}
	one := identity(by.Identity[0], by.State[0], d)
	i := np.Full(one, n).AsType(d)
	for _, same := range []*np.Array{op.apply(i, a), op.apply(a, i)} {
		if k, ok := firstDifference(same, a, n); ok {
			return &np.Error{Op: name, Msg: fmt.Sprintf("%v is not the identity of %s: with %v it gives %v", one, op, a.At(k).Item(), same.At(k).Item())}
		}
	}
	return nil
}

// apply is op of the elements of x and y.
func (o *Operator) apply(x, y *np.Array) *np.Array {
	switch {
	case o.inline != nil:
		return np.Map(o.f, x, y)
	case o.first:
		return np.Where(true, x, y)
	case o.built != nil: // as there is no such operation of arrays
		n := x.Size()
		pairs := np.Stack(np.Axis(1), x.Reshape(n), y.Reshape(n))
		return Scan(o, pairs, Axis(1)).At(np.All, 1).Reshape(x.Shape()...)
	}
	d := x.DType()
	f := map[kir.Op]func(x, y any) *np.Array{
		kir.OpAdd: np.Add, kir.OpMul: np.Mul, kir.OpMax: np.Maximum, kir.OpMin: np.Minimum,
		kir.OpAnd: np.BitAnd, kir.OpOr: np.BitOr, kir.OpXor: np.BitXor,
	}[o.op]
	return f(x, y).AsType(d)
}

// firstDifference is the place of the first of n elements in which x and y differ by more than rounding.
func firstDifference(x, y *np.Array, n int) (at int, ok bool) {
	x, y = x.Reshape(n), y.Reshape(n)
	differ := x.NotEqual(y)
	if d := x.DType(); d.IsFloat() {
		most := 1e-4
		if d == np.Float64 {
			most = 1e-9
		}
		differ = np.LogicalAnd(differ, x.Equal(x).LogicalOr(y.Equal(y))) // two NaN are the same
		close := x.Sub(y).Abs().LessEqual(np.Maximum(x.Abs(), y.Abs()).Mul(most))
		differ = np.LogicalAnd(differ, np.LogicalNot(close))
	}
	if !differ.AnyTrue().Item().(bool) {
		return 0, false
	}
	return differ.ArgMax().Int(), true
}
