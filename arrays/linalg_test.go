package arrays

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// linalgArg is an input's name, a text, a number or lists of axes.
type linalgArg struct {
	Name  string
	Text  *string
	Int   *int
	Float *string
	Axes  [][]int
}

func (g *linalgArg) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &g.Name)
	}
	type plain linalgArg
	return json.Unmarshal(b, (*plain)(g))
}

func (g linalgArg) value(inputs map[string]goldenValue) any {
	switch {
	case g.Text != nil:
		return *g.Text
	case g.Int != nil:
		return *g.Int
	case g.Float != nil:
		v, _ := strconv.ParseFloat(*g.Float, 64)
		return v
	case g.Axes != nil:
		return g.Axes
	}
	return inputs[g.Name].array()
}

func three(a, b, c *Array) []*Array { return []*Array{a, b, c} }

// numPyLinalg calls ours by the names of the golden file.
var numPyLinalg = map[string]func(x []any) []*Array{
	"det":              func(x []any) []*Array { return one(Det(x[0])) },
	"slogdet":          func(x []any) []*Array { return two(SLogDet(x[0])) },
	"inv":              func(x []any) []*Array { return one(Inv(x[0])) },
	"solve":            func(x []any) []*Array { return one(Solve(x[0], x[1])) },
	"cholesky":         func(x []any) []*Array { return one(Cholesky(x[0])) },
	"qr":               func(x []any) []*Array { return two(QR(x[0])) },
	"qr_complete":      func(x []any) []*Array { return two(QRComplete(x[0])) },
	"svd":              func(x []any) []*Array { return three(SVD(x[0])) },
	"svd_thin":         func(x []any) []*Array { return three(SVDThin(x[0])) },
	"svdvals":          func(x []any) []*Array { return one(SVDVals(x[0])) },
	"pinv":             func(x []any) []*Array { return one(PInv(x[0])) },
	"matrix_rank":      func(x []any) []*Array { return one(MatrixRank(x[0])) },
	"eigh":             func(x []any) []*Array { return two(EigH(x[0])) },
	"eigvalsh":         func(x []any) []*Array { return one(EigValsH(x[0])) },
	"eig":              func(x []any) []*Array { return two(Eig(x[0])) },
	"eigvals":          func(x []any) []*Array { return one(EigVals(x[0])) },
	"lstsq":            func(x []any) []*Array { a, b, c, d := LstSq(x[0], x[1]); return []*Array{a, b, c, d} },
	"expm":             func(x []any) []*Array { return one(Expm(x[0])) },
	"matrix_power":     func(x []any) []*Array { return one(MatrixPower(x[0], x[1].(int))) },
	"matrix_norm":      func(x []any) []*Array { return one(MatrixNorm(x[0], x[1])) },
	"cond":             func(x []any) []*Array { return one(Cond(x[0], x[1])) },
	"vector_norm":      func(x []any) []*Array { return one(VectorNorm(x[0], x[1].(float64), axesOf(x[2:])...)) },
	"tensordot":        func(x []any) []*Array { return one(TensorDot(x[0], x[1], x[2])) },
	"kron":             func(x []any) []*Array { return one(Kron(x[0], x[1])) },
	"vecdot":           func(x []any) []*Array { return one(VecDot(x[0], x[1], ints(x[2:]))) },
	"inner":            func(x []any) []*Array { return one(Inner(x[0], x[1])) },
	"cross":            func(x []any) []*Array { return one(Cross(x[0], x[1])) },
	"matrix_transpose": func(x []any) []*Array { return one(MatrixTranspose(x[0])) },
	"einsum":           func(x []any) []*Array { return one(Einsum(x[0].(string), x[1:]...)) },
}

func axesOf(x []any) []ReduceOption {
	if len(x) == 0 {
		return nil
	}
	return []ReduceOption{Axis(ints(x)...)}
}

// TestLinalgAsNumPy: results differ from NumPy's by no more than 1e-12 of their largest element (1e-5 in float32),
// decompositions are held to what defines them, as signs and the vectors of equal values are free.
func TestLinalgAsNumPy(t *testing.T) {
	var golden struct {
		Inputs map[string]goldenValue
		Cases  []struct {
			Op    string
			Args  []linalgArg
			Error string
			Outs  []goldenValue
		}
	}
	readGolden(t, "linalg.json", &golden)
	seen := map[string]bool{}
	for _, c := range golden.Cases {
		var args []any
		var names []string
		for _, a := range c.Args {
			v := a.value(golden.Inputs)
			args = append(args, v)
			if a.Name == "" {
				names = append(names, fmt.Sprint(v))
			} else {
				names = append(names, a.Name)
			}
		}
		name := c.Op + "(" + strings.Join(names, ", ") + ")"
		seen[c.Op] = true
		var got []*Array
		err := caught(func() { got = numPyLinalg[c.Op](args) })
		if err != nil || c.Error != "" {
			if (err != nil) != (c.Error != "") {
				t.Errorf("%s: error %v, NumPy refuses: %q", name, err, c.Error)
			} else if c.Error == "singular" != errors.Is(err, ErrSingular) || c.Error == "converge" != errors.Is(err, ErrNotConverged) {
				t.Errorf("%s: error %v, NumPy's is %q", name, err, c.Error)
			}
			continue
		}
		if len(got) != len(c.Outs) {
			t.Errorf("%s: %d results, NumPy gives %d", name, len(got), len(c.Outs))
			continue
		}
		want := make([]*Array, len(got))
		for i := range got {
			want[i] = c.Outs[i].array()
			if strings.HasPrefix(c.Op, "eig") && !strings.HasSuffix(c.Op, "h") {
				want[i] = want[i].AsType(Promote(want[i].DType(), Complex64))
			}
			if got[i].DType() != want[i].DType() || !slices.Equal(got[i].Shape(), want[i].Shape()) {
				t.Errorf("%s, result %d: %v of shape %v, NumPy gives %v of shape %v", name, i, got[i].DType(), got[i].Shape(), want[i].DType(), want[i].Shape())
				got = nil
				break
			}
		}
		if got == nil {
			continue
		}
		var x *Array
		if a, ok := args[0].(*Array); ok {
			x = a
		}
		if err := checkLinalg(c.Op, x, got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(seen) != len(numPyLinalg) {
		t.Errorf("the golden file covers %d of %d functions", len(seen), len(numPyLinalg))
	}
}

// checkLinalg compares results with NumPy's, or with what defines them.
func checkLinalg(op string, x *Array, got, want []*Array) error {
	adjoint := func(a *Array) *Array { return MatrixTranspose(a).Conj() }
	orthonormal := func(q *Array) error {
		return closeTo("orthonormal", MatMul(adjoint(q), q), BroadcastTo(Eye(q.Shape()[q.NDim()-1]), MatMul(adjoint(q), q).Shape()...), q.DType())
	}
	switch op {
	case "qr", "qr_complete":
		return errors.Join(orthonormal(got[0]), closeTo("q·r", MatMul(got[0], got[1]), x, got[0].DType()), closeTo("|r|", Abs(Mul(got[1], got[1])), Abs(Mul(want[1], want[1])), got[1].DType()),
			closeTo("triangle", Tril(got[1], -1), ZerosLike(got[1]), got[1].DType()))
	case "svd", "svd_thin":
		k := got[1].Shape()[got[1].NDim()-1]
		product := MatMul(got[0].At(Dots, To(k)).Mul(got[1].At(Dots, NewAxis, All)), got[2].At(Dots, To(k), All))
		return errors.Join(orthonormal(got[0]), orthonormal(adjoint(got[2])), closeTo("u·s·vh", product, x, got[0].DType()), closeTo("values", got[1], want[1], got[0].DType()))
	case "eigh":
		return errors.Join(orthonormal(got[1]), closeTo("values", got[0], want[0], got[1].DType()), closeTo("x·v", MatMul(x, got[1]), got[1].Mul(got[0].At(Dots, NewAxis, All)), got[1].DType()))
	case "eig":
		if err := closeTo("values", sortedValues(got[0]), sortedValues(want[0]), got[0].DType()); err != nil {
			return err
		}
		return errors.Join(closeTo("x·v", MatMul(x, got[1]), got[1].Mul(got[0].At(Dots, NewAxis, All)), got[1].DType()),
			closeTo("lengths", VectorNorm(got[1], 2, Axis(-2)), OnesLike(got[0]), got[1].DType()))
	case "eigvals":
		return closeTo("values", sortedValues(got[0]), sortedValues(want[0]), got[0].DType())
	}
	var errs []error
	for i := range got {
		errs = append(errs, closeTo(fmt.Sprintf("result %d", i), got[i], want[i], got[0].DType()))
	}
	return errors.Join(errs...)
}

// sortedValues orders values by parts that are rounded, so that a last bit does not decide.
func sortedValues(a *Array) *Array {
	if a.Size() == 0 {
		return a
	}
	digits := 1e6
	if a.DType() == Complex64 {
		digits = 1e3
	}
	key := Round(a.AsType(Complex128).Mul(digits).Real()).Mul(1e9).Add(Round(a.AsType(Complex128).Mul(digits).Imag()))
	order := ArgSort(key)
	return takeAlongLast(a, order)
}

func takeAlongLast(a, order *Array) *Array {
	n := a.Shape()[a.NDim()-1]
	flat, at := a.Reshape(-1, n), order.Reshape(-1, n)
	rows := Arange(flat.Len()).Reshape(-1, 1)
	return flat.At(rows, at).Reshape(a.Shape()...)
}

// closeTo compares to 1e-12 of the largest element, or of 1.
func closeTo(what string, got, want *Array, dtype DType) error {
	if got.Size() == 0 {
		return nil
	}
	tolerance := 1e-12
	if dtype == Float32 || dtype == Complex64 {
		tolerance = 1e-5
	}
	g, w := got.AsType(Complex128).Complex128s(), want.AsType(Complex128).Complex128s()
	scale := 1.0
	for _, v := range w {
		if size := math.Hypot(real(v), imag(v)); size > scale && !math.IsInf(size, 0) {
			scale = size
		}
	}
	for i := range g {
		d := g[i] - w[i]
		if math.Hypot(real(d), imag(d)) > tolerance*scale || cmplxNaN(g[i]) != cmplxNaN(w[i]) || cmplxNaN(d) && !cmplxNaN(w[i]) && g[i] != w[i] {
			return fmt.Errorf("%s: element %d is %v, not %v (scale %.3g)", what, i, g[i], w[i], scale)
		}
	}
	return nil
}

// TestTry: what panics for cells is an error for programs.
func TestTry(t *testing.T) {
	singular := Ones(2, 2)
	nan := Full(math.NaN(), 2, 2)
	for name, f := range map[string]struct {
		run  func() error
		want error
	}{
		"TrySolve":    {func() error { _, err := TrySolve(singular, []float64{1, 2}); return err }, ErrSingular},
		"TryInv":      {func() error { _, err := TryInv(Stack(0, Eye(2), singular)); return err }, ErrSingular},
		"TryCholesky": {func() error { _, err := TryCholesky(singular.Neg()); return err }, ErrSingular},
		"TryPInv":     {func() error { _, err := TryPInv(nan); return err }, ErrNotConverged},
		"TryExpm":     {func() error { _, err := TryExpm(nan); return err }, ErrNotConverged},
		"TrySVD":      {func() error { _, _, _, err := TrySVD(nan); return err }, ErrNotConverged},
		"TrySVDThin":  {func() error { _, _, _, err := TrySVDThin(nan); return err }, ErrNotConverged},
		"TryEigH":     {func() error { _, _, err := TryEigH(nan); return err }, ErrNotConverged},
		"TryEig":      {func() error { _, _, err := TryEig(nan); return err }, ErrNotConverged},
		"TryLstSq":    {func() error { _, _, _, _, err := TryLstSq(nan, []float64{1, 2}); return err }, ErrNotConverged},
	} {
		err := f.run()
		var typed *Error
		if !errors.Is(err, f.want) || !errors.As(err, &typed) {
			t.Errorf("%s: %v, want one that is %v", name, err, f.want)
		}
	}
	_, err := TryInv(Stack(0, Eye(2), singular))
	if want := "inv: the matrix at (1,) is singular: it has no inverse; LstSq and PInv take such matrices"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if x, err := TrySolve(Eye(2), []int{3, 4}); err != nil || x.String() != "[3. 4.]" {
		t.Error(x, err)
	}
}

// TestInversesHaveNoNegativeZeros: of matrices with zeros they are shown as NumPy's.
func TestInversesHaveNoNegativeZeros(t *testing.T) {
	for _, m := range []*Array{Eye(3), Eye(200), From2D([][]float64{{1, 2}, {0, 1}}), From2D([][]float64{{2, 0, 0}, {0, 4, 0}, {1, 0, 5}}), Stack(0, Eye(2), Eye(2).Mul(-1))} {
		y := Inv(m)
		if SignBit(y).BitAnd(y.Equal(0)).AnyTrue().Bool() {
			t.Errorf("the inverse of\n%v is\n%v", m, y)
		}
	}
}
