package arrays

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

// Linear algebra works on the last two axes, the matrices, of which further axes hold many. Ints and bools count as
// float64; float32 and complex64 are computed in float64 and complex128. What has no answer panics with *Error when it
// is computed: errors.Is tells ErrSingular from ErrNotConverged, and the functions that begin with Try return the error
// instead.

var (
	// ErrSingular is wrapped by errors of matrices without an inverse, and of those that are not positive definite.
	ErrSingular = dense.ErrSingular
	// ErrNotConverged is wrapped by errors of iterations without an end, as those of NaN and infinity.
	ErrNotConverged = dense.ErrNotConverged
)

// init lets matrices be interrupted as everything else.
func init() { dense.OnPoll(poll) }

// mat is one matrix, or with one column a vector: f holds its elements, or z where it is complex.
type mat struct {
	rows, columns int
	f             []float64
	z             []complex128
}

func (m mat) isComplex() bool { return m.z != nil }

// part is a result of a factorization: its sizes for one matrix, and its dtype.
type part struct {
	shape []int
	kind  partKind
}

type partKind uint8

const (
	partSame    partKind = iota // the dtype that the matrices have
	partReal                    // its real one
	partComplex                 // its complex one
	partInt
)

// matrixFunc is a function of matrices.
type matrixFunc struct {
	name   string
	square bool // the first operand must be
	vector bool // the second operand is a list of columns, or where it has one axis a single column
	parts  func(m, n, k int) []part
	run    func(in, out []mat) error
}

// linalgDType is the dtype of results, and the one to compute in.
func linalgDType(in []Spec) (out, work DType, err error) {
	out = Float32
	strong := false
	for _, s := range in {
		switch d := s.DType; {
		case !d.IsNumber():
			return 0, 0, refuse(d)
		case d == Float16:
			return 0, 0, &Error{Msg: "float16 is too short for linear algebra; convert with AsType(Float32) first"}
		case d.IsInexact():
			out, strong = Promote(out, d), true
		default:
			out, strong = Promote(out, Float64), true
		}
	}
	if !strong {
		out = Float64
	}
	if out.IsComplex() {
		return out, Complex128, nil
	}
	return out, Float64, nil
}

// resolve gives dtypes and shapes of the results.
func (f matrixFunc) resolve(in []Spec) ([]Spec, error) {
	out, _, err := linalgDType(in)
	if err != nil {
		return nil, err
	}
	x := in[0].Shape
	if len(x) < 2 {
		return nil, &Error{Shapes: [][]int{x}, Msg: fmt.Sprintf("shape %s is not a matrix; it takes 2 axes or more", shapeString(x))}
	}
	m, n := x[len(x)-2], x[len(x)-1]
	if f.square && m != n {
		return nil, &Error{Shapes: [][]int{x}, Msg: fmt.Sprintf("a matrix of shape %s is not square; its last two axes must be equal", shapeString([]int{m, n}))}
	}
	lead, k := x[:len(x)-2], 0
	single := false
	if f.vector {
		y := in[1].Shape
		single = len(y) == 1
		switch {
		case len(y) == 0:
			return nil, &Error{Shapes: [][]int{x, y}, Msg: "the right side is a single number; give a 1-D array or columns"}
		case y[max(len(y)-2, 0)] != m:
			return nil, &Error{Shapes: [][]int{x, y}, Msg: fmt.Sprintf("shapes %s and %s do not go together: %d rows on the left, %d on the right", shapeString(x), shapeString(y), m, y[max(len(y)-2, 0)])}
		}
		k = 1
		if !single {
			k = y[len(y)-1]
			if lead, err = BroadcastShapes(lead, y[:len(y)-2]); err != nil {
				return nil, err
			}
		}
	}
	var specs []Spec
	for _, p := range f.parts(m, n, k) {
		shape := slices.Concat(lead, p.shape)
		if single && len(p.shape) > 0 && p.kind == partSame {
			shape = shape[:len(shape)-1]
		}
		specs = append(specs, Spec{DType: p.dtype(out), Shape: shape})
	}
	return specs, nil
}

func (p part) dtype(d DType) DType {
	switch p.kind {
	case partReal:
		return realOf(d)
	case partComplex:
		return Promote(d, Complex64)
	case partInt:
		return Int64
	}
	return d
}

// routine is f, which has one result, as a routine.
func (f matrixFunc) routine() Routine {
	return Routine{
		Name: f.name,
		Resolve: func(in []Spec) (Spec, error) {
			specs, err := f.resolve(in)
			if err != nil {
				return Spec{}, err
			}
			return specs[0], nil
		},
		Run: func(out *Array, in []*Array) { f.fill([]*Array{out}, in) },
	}
}

// call is f with all of its results.
func (f matrixFunc) call(xs ...any) []*Array {
	in, specs := make([]*Array, len(xs)), make([]Spec, len(xs))
	for i, x := range xs {
		in[i] = must(f.name, x)
		specs[i] = Spec{DType: in[i].dtype, Shape: in[i].layout.Shape}
	}
	results, err := f.resolve(specs)
	check(f.name, err)
	out := make([]*Array, len(results))
	for i, r := range results {
		out[i] = New(r.DType, r.Shape...)
	}
	f.fill(out, in)
	return out
}

// fill computes matrix by matrix.
func (f matrixFunc) fill(out, in []*Array) {
	specs := make([]Spec, len(in))
	for i, a := range in {
		specs[i] = Spec{DType: a.dtype, Shape: a.layout.Shape}
	}
	_, work, _ := linalgDType(specs)
	lead := in[0].layout.Shape[:in[0].NDim()-2]
	operands := slices.Clone(in)
	if f.vector {
		if in[1].NDim() == 1 {
			operands[1] = in[1].At(All, NewAxis)
		}
		lead, _ = BroadcastShapes(lead, operands[1].layout.Shape[:operands[1].NDim()-2])
	}
	count := sizeOf(lead)
	walks, inner := make([]*stream, len(in)), make([]Layout, len(in))
	scratch := make([]mat, len(in))
	var rooms []*[]byte
	defer func() { giveBack(rooms) }()
	var k int
	for i, a := range operands {
		core := a.layout.Shape[a.NDim()-2:]
		l, err := a.layout.BroadcastTo(slices.Concat(lead, core))
		check(f.name, err)
		inner[i] = Layout{core, l.Strides[len(lead):], 0}
		if count > 0 {
			walks[i] = newWalk(trailing(l, len(lead)))
		}
		memory := room(sizeOf(core) * work.Size())
		rooms = append(rooms, memory)
		scratch[i] = matOf(work, core[0], core[1], *memory)
		k = core[1]
	}
	parts := f.parts(scratch[0].rows, scratch[0].columns, k)
	results := make([]mat, len(parts))
	for b := range count {
		for i, a := range operands {
			inner[i].Offset = walks[i].at
			from, to, size := newStream(&Array{a.dtype, inner[i], a.data}, work), scratch[i].bytes(), work.Size()
			inSteps(len(to)/size, func(lo, hi int) { from.read(to[lo*size : hi*size]) })
			walks[i].advance(1)
		}
		for i, p := range parts {
			d := work
			switch p.kind {
			case partReal, partInt:
				d = Float64
			case partComplex:
				d = Complex128
			}
			rows, columns := 1, 1
			if len(p.shape) > 0 {
				rows, columns = p.shape[0], sizeOf(p.shape[1:])
			}
			if size := rows * columns * d.Size(); out[i].dtype == d {
				results[i] = matOf(d, rows, columns, out[i].data[b*size:])
			} else {
				results[i] = newMat(d, rows, columns)
			}
		}
		if err := f.run(scratch, results); err != nil {
			check(f.name, f.failed(err, b, lead))
		}
		for i, r := range results {
			from := Float64
			if r.isComplex() {
				from = Complex128
			}
			if from == out[i].dtype {
				continue // it is where it belongs
			}
			size := r.rows * r.columns * out[i].dtype.Size()
			castOf(from, out[i].dtype)(out[i].data[b*size:(b+1)*size], r.bytes(), 0, 1)
		}
		poll()
	}
}

// newMat makes room for a matrix; an empty complex one is told from a real one.
func newMat(d DType, rows, columns int) mat {
	if d == Complex128 {
		return mat{rows: rows, columns: columns, z: make([]complex128, rows*columns)}
	}
	return mat{rows: rows, columns: columns, f: make([]float64, rows*columns)}
}

// matOf is a matrix in the memory that begins so; it holds what was there.
func matOf(d DType, rows, columns int, memory []byte) mat {
	if rows*columns == 0 {
		return newMat(d, rows, columns)
	}
	memory = memory[:rows*columns*d.Size()]
	if d == Complex128 {
		return mat{rows: rows, columns: columns, z: elements[complex128](memory)}
	}
	return mat{rows: rows, columns: columns, f: elements[float64](memory)}
}

func (m mat) bytes() []byte {
	if m.isComplex() {
		return bytesOf(m.z)
	}
	return bytesOf(m.f)
}

// failed says what is wrong with matrix b of a batch.
func (f matrixFunc) failed(err error, b int, lead []int) error {
	which := "the matrix"
	if len(lead) > 0 {
		at := make([]int, len(lead))
		for i := len(lead) - 1; i >= 0; i-- {
			at[i], b = b%lead[i], b/lead[i]
		}
		which += " at " + shapeString(at)
	}
	switch {
	case errors.Is(err, ErrSingular) && f.name == "cholesky":
		return &Error{Msg: which + " is not positive definite; check that it is symmetric and its eigenvalues are above 0", Err: err}
	case errors.Is(err, ErrSingular):
		return &Error{Msg: which + " is singular: it has no inverse; LstSq and PInv take such matrices", Err: err}
	}
	return &Error{Msg: which + " did not converge; check it for NaN and infinity", Err: err}
}
