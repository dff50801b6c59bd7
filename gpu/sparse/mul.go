package sparse

import (
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Method is how [Mul] multiplies: [RowPerThread], [Cached], [WarpPerRow] or [SegScan].
type Method struct {
	name string
	mul  func(m *Matrix, x *np.Array, d np.DType, right int) *np.Array
}

// String returns the method's name.
func (m Method) String() string { return m.name }

// The ways to multiply. Each adds the products of a row in an order of its own, the same on every device: sums of
// floats may differ from method to method in their last bits.
var (
	// RowPerThread has a thread add the products of a row one after the other. It is fast where the rows of a warp are
	// short and alike; a long one among them has the other lanes wait.
	RowPerThread = Method{"row per thread", func(m *Matrix, x *np.Array, d np.DType, right int) *np.Array {
		return m.launch(rowPerThread(d, right, 0), m.rows, x, d, right)
	}}
	// Cached is RowPerThread whose blocks keep the elements of x that have the numbers of their rows in shared memory:
	// for meshes, whose columns are near their rows (Nickolls, Buck, Garland and Skadron, "Scalable Parallel
	// Programming with CUDA", 2008).
	Cached = Method{"cached", func(m *Matrix, x *np.Array, d np.DType, right int) *np.Array {
		return m.launch(rowPerThread(d, right, threads), m.rows, x, d, right)
	}}
	// WarpPerRow has the lanes of a warp add every 32nd product of a row each, and then what they have: for long rows,
	// whose values are then read side by side.
	WarpPerRow = Method{"warp per row", func(m *Matrix, x *np.Array, d np.DType, right int) *np.Array {
		return m.launch(warpPerRow(d, right), m.rows*kir.WarpSize, x, d, right)
	}}
	// SegScan makes all products, a thread each, and adds those of each row by a segmented scan: its work depends on
	// the number of values alone, however they are spread over rows.
	SegScan = Method{"segmented scan", segScan}
)

// threads are those of a block.
const threads = 128

// mostVectors is how large a grid is along its second axis.
const mostVectors = 65535

// longRows is how many values rows have on average from which a warp takes each where no method is named.
const longRows = 16

// Mul returns the product of m with x: of shape cols, or of shape (cols, k) for k vectors side by side; the result has
// rows in the place of cols. Its dtype is what those of m and x promote to. Without a method long rows are added by a
// warp each, short ones by a thread each. It panics with *Error where shapes do not fit.
func Mul(m *Matrix, x any, how ...Method) *np.Array {
	const op = "sparse.Mul"
	if m == nil {
		fail(op, "the matrix is nil; was it never assigned?")
	}
	a := array(op, x)
	shape := a.Shape()
	if n := len(shape); n != 1 && n != 2 || shape[0] != m.cols {
		fail(op, "the matrix has shape [%d %d], what it is multiplied with %v; give an array of shape [%d] or [%d k]", m.rows, m.cols, shape, m.cols, m.cols)
	}
	if len(how) > 1 || len(how) == 1 && how[0].mul == nil {
		fail(op, "%d methods are named; name sparse.RowPerThread, Cached, WarpPerRow, SegScan or none", len(how))
	}
	checkNumbers(op, a.DType())
	d := np.Promote(m.DType(), a.DType())
	by, right := RowPerThread, 1
	if m.NNZ() >= longRows*m.rows {
		by = WarpPerRow
	}
	if len(how) == 1 {
		by = how[0]
	}
	shape[0] = m.rows
	if len(shape) == 2 {
		right = shape[1]
	}
	if right > mostVectors {
		fail(op, "they are %d vectors; give %d at once, the rest in another product", right, mostVectors)
	}
	if m.rows*right == 0 || m.NNZ() == 0 {
		return np.Zeros(shape...).AsType(d)
	}
	return by.mul(m, a.AsType(d), d, right).Reshape(shape...)
}

// launch runs a kernel of so many threads for each of the vectors.
func (m *Matrix) launch(f *kir.Func, n int, x *np.Array, d np.DType, right int) *np.Array {
	y := np.Zeros(m.rows * right).AsType(d)
	np.Wiring{}.Launch(kernelcall.Call[np.Array]{
		Name: f.Name, Func: f, Grid: kir.Dim3{X: (n + threads - 1) / threads, Y: right, Z: 1}, Block: kir.D1(threads),
		Args: []kernelcall.Arg[np.Array]{
			{Bits: uint64(m.rows)}, {Bits: uint64(m.cols)}, {Array: m.offsets}, {Array: m.columns}, {Array: m.values.AsType(d)}, {Array: x}, {Array: y, Writes: true, Fresh: true},
		},
	})
	return y
}

func segScan(m *Matrix, x *np.Array, d np.DType, right int) *np.Array {
	out := make([]any, right)
	for k := range out {
		v := x
		if x.NDim() == 2 {
			v = x.At(np.All, k)
		}
		products := np.Zeros(m.NNZ()).AsType(d)
		f := productsOf(d)
		np.Wiring{}.Launch(kernelcall.Call[np.Array]{
			Name: f.Name, Func: f, Grid: kir.D1((m.NNZ() + threads - 1) / threads), Block: kir.D1(threads),
			Args: []kernelcall.Arg[np.Array]{
				{Bits: uint64(m.NNZ())}, {Array: m.columns}, {Array: m.values.AsType(d)}, {Array: v}, {Array: products, Writes: true, Fresh: true},
			},
		})
		out[k] = dp.SegReduce(dp.Sum, products, m.byRows())
	}
	if right == 1 {
		return out[0].(*np.Array)
	}
	return np.Stack(np.Axis(1), out...)
}

// TimesArray is what np.MatMul(m, x) is.
func (m *Matrix) TimesArray(x *np.Array) *np.Array { return Mul(m, x) }

// ArrayTimes is what np.MatMul(x, m) is: the product of the transposed, transposed.
func (m *Matrix) ArrayTimes(x *np.Array) *np.Array {
	if n := x.NDim(); n != 1 && n != 2 || x.Shape()[n-1] != m.rows {
		fail("sparse.Mul", "an array of shape %v is multiplied with a matrix of shape [%d %d]; give one of shape [%d] or [k %d]", x.Shape(), m.rows, m.cols, m.rows, m.rows)
	}
	return Mul(m.T(), x.T()).T()
}
