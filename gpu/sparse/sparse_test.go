package sparse_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/sparse"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

var machines = []string{
	"host", simgpu.Custom("g80", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(1))),
	simgpu.Custom("gtx280", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(2))), simgpu.Custom("v100", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(3))),
}

var methods = []sparse.Method{sparse.RowPerThread, sparse.Cached, sparse.WarpPerRow, sparse.SegScan}

func use(t *testing.T) {
	t.Helper()
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	for _, name := range append(machines[1:], "sim:gtx280") {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	rt, err := offload.New(r, "host")
	require.NoError(t, err)
	np.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { np.Wiring{}.SetRuntime(nil) })
}

// triplets are a matrix for tests.
type triplets struct {
	rows, cols int
	is, js     []int
	vs         []float32
}

func (m *triplets) add(i, j int) {
	m.is, m.js, m.vs = append(m.is, i), append(m.js, j), append(m.vs, rand.Float32()*2-1)
}

func (m *triplets) sparse() *sparse.Matrix {
	return sparse.FromTriplets(m.rows, m.cols, m.is, m.js, m.vs)
}

// times multiplies in float64.
func (m *triplets) times(x []float32) (y []float64) {
	y = make([]float64, m.rows)
	for k, v := range m.vs {
		y[m.is[k]] += float64(v) * float64(x[m.js[k]])
	}
	return y
}

// kinds make matrices of n rows: rows alike, each longer than the one before, of lengths by a power law, one long among
// short ones, and the five points of a mesh.
var kinds = map[string]func(n int) *triplets{
	"uniform": func(n int) *triplets {
		m := &triplets{rows: n, cols: n}
		for k := range 8 * n {
			m.add(k/8, rand.IntN(n))
		}
		return m
	},
	"triangular": func(n int) *triplets {
		m := &triplets{rows: n, cols: n}
		for i := range n {
			for range i*24/n + 1 {
				m.add(i, rand.IntN(i+1))
			}
		}
		return m
	},
	"power law": func(n int) *triplets {
		m := &triplets{rows: n, cols: n}
		for i := range n {
			for range min(int(2/math.Pow(1-rand.Float64(), 0.7)), n/2) {
				m.add(i, rand.IntN(n))
			}
		}
		return m
	},
	"one long row": func(n int) *triplets {
		m := &triplets{rows: n, cols: n}
		for k := range 2 * n {
			m.add(k/2, rand.IntN(n))
		}
		for j := range n {
			m.add(n/3, j)
		}
		return m
	},
	"mesh": func(n int) *triplets {
		side := int(math.Sqrt(float64(n)))
		m := &triplets{rows: side * side, cols: side * side}
		for i := range m.rows {
			for _, d := range [][2]int{{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}} {
				x, y := i%side+d[0], i/side+d[1]
				if x >= 0 && x < side && y >= 0 && y < side {
					m.add(i, y*side+x)
				}
			}
		}
		return m
	},
}

// The matrix of Nickolls and others, figure 4, in all ways and on all machines.
func TestMatrixOfThePaper(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t)
	dense := [][]float32{{3, 0, 1, 0}, {0, 0, 0, 0}, {0, 2, 4, 1}, {1, 0, 0, 1}}
	for _, name := range machines {
		np.Use(name)
		m := sparse.FromDense(dense)
		require.Equal(t, "[3. 1. 2. 4. 1. 1. 1.] [0 2 1 2 3 0 3] [0 2 2 5 7]", fmt.Sprint(m.Values(), m.Columns(), m.Offsets()), name)
		for _, how := range methods {
			require.Equal(t, "[ 6.  0. 20.  5.]", sparse.Mul(m, []float32{1, 2, 3, 4}, how).String(), "%s, %s", name, how)
			require.Equal(t, "[[4.]\n [0.]\n [7.]\n [2.]]", sparse.Mul(m, [][]float32{{1}, {1}, {1}, {1}}, how).String(), how)
		}
		require.Equal(t, np.FromSlice(dense).String(), m.Array().String())
		require.Equal(t, np.FromSlice(dense).T().String(), m.T().Array().String())
		require.Equal(t, "[ 6.  0. 20.  5.]", np.MatMul(m, []float32{1, 2, 3, 4}).String())
		require.Equal(t, np.MatMul([][]float32{{1, 2, 3, 4}, {0, 1, 0, 1}}, dense).String(), np.MatMul([][]float32{{1, 2, 3, 4}, {0, 1, 0, 1}}, m).String())
		require.Equal(t, "18.0", np.Sum(m).Add(5).String())
	}
	require.Equal(t, "sparse matrix of shape [4 4] with 7 values of float32", sparse.FromDense(dense).String())
}

// Random matrices of every kind give in every way, for one vector and several, what sums in float64 give.
func TestProductsAreSums(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t)
	k := 0
	for kind, of := range kinds {
		for i, name := range machines {
			n := []int{300, 65, 200, 130}[(k+i)%4]
			m := of(n)
			np.Use("host")
			a := m.sparse()
			np.Eval(a.Values())
			np.Use(name)
			how := methods[(k+i)%4]
			x := make([]float32, m.cols)
			for i := range x {
				x[i] = rand.Float32()*2 - 1
			}
			want := m.times(x)
			got := sparse.Mul(a, x, how)
			require.InDeltaSlice(t, want, got.AsType(np.Float64).Float64s(), 1e-5*math.Sqrt(float64(n)), "%s by %s on %s", kind, how, name)
			both := sparse.Mul(a, np.Stack(np.Axis(1), x, x), how)
			require.Equal(t, got.Array().Bytes(), both.At(np.All, 1).Copy().Array().Bytes(), "%s by %s on %s", kind, how, name)
			if n > 65 {
				continue
			}
			back := a.T().T()
			require.Equal(t, fmt.Sprint(a.Offsets(), a.Columns(), a.Values()), fmt.Sprint(back.Offsets(), back.Columns(), back.Values()))
		}
		k++
	}
}

// A method gives the same bits on every machine.
func TestProductsAreTheSameEverywhere(t *testing.T) {
	testsize.InTurn(t, 2)
	use(t)
	m := kinds["power law"](150)
	x := make([]float32, m.cols)
	for i := range x {
		x[i] = rand.Float32()
	}
	for _, how := range methods {
		var want []byte
		for i, name := range machines {
			np.Use(name)
			got := sparse.Mul(m.sparse(), x, how).Array().Bytes()
			if i == 0 {
				want = got
			}
			require.Equal(t, want, got, "%s on %s", how, name)
		}
	}
}

// Values of one place are added, in the order in which they stand.
func TestTriplets(t *testing.T) {
	use(t)
	m := sparse.FromTriplets(3, 3, []int{2, 0, 2, 2}, []int{1, 2, 0, 1}, []int{5, 1, 7, 6})
	require.Equal(t, "[[ 0  0  1]\n [ 0  0  0]\n [ 7 11  0]]", m.Array().String())
	require.Equal(t, "[0 1 1 3]", m.Offsets().String())
	require.Equal(t, "[1 0 2]", m.Lengths().String())
	require.Equal(t, np.Int64, m.DType())
	for _, empty := range []*sparse.Matrix{sparse.FromTriplets(2, 0, []int{}, []int{}, []float64{}), sparse.FromDense(np.Zeros(2, 3)), sparse.CSR(0, 3, []int{0}, []int{}, []float64{})} {
		require.Equal(t, 0, empty.NNZ())
		for _, how := range methods {
			require.Equal(t, np.Zeros(empty.Shape()[0]).String(), sparse.Mul(empty, np.Zeros(empty.Shape()[1]), how).String())
		}
		require.Equal(t, empty.Shape()[0], empty.T().Shape()[1])
	}
}

func TestBadMatrices(t *testing.T) {
	use(t)
	m := sparse.FromDense([][]float64{{1, 2, 0}, {0, 1, 1}})
	for want, call := range map[string]func(){
		"offset 2 is 1, after 2: offsets must not fall":           func() { sparse.CSR(3, 3, []int{0, 2, 1, 2}, []int{0, 1}, []float64{1, 2}) },
		"the offsets go from 0 to 1; they go from 0 to":           func() { sparse.CSR(1, 3, []int{0, 1}, []int{0, 1}, []float64{1, 2}) },
		"value 1 is in column 3; columns go from 0 to 2":          func() { sparse.CSR(1, 3, []int{0, 2}, []int{0, 3}, []float64{1, 2}) },
		"value 0 is in column -1":                                 func() { sparse.CSR(1, 3, []int{0, 1}, []int{-1}, []float64{1}) },
		"there are 3 offsets for 1 rows":                          func() { sparse.CSR(1, 3, []int{0, 1, 2}, []int{0, 1}, []float64{1, 2}) },
		"each value a column":                                     func() { sparse.CSR(1, 3, []int{0, 1}, []int{}, []float64{1}) },
		"value 1 is in row 2; rows go from 0 to 1":                func() { sparse.FromTriplets(2, 2, []int{0, 2}, []int{0, 0}, []int{1, 1}) },
		"the values are bool":                                     func() { sparse.FromDense([][]bool{{true}}) },
		"the columns are float64":                                 func() { sparse.CSR(1, 3, []int{0, 1}, []float64{1}, []float64{1}) },
		"a matrix has two axes":                                   func() { sparse.FromDense([]int{1}) },
		"the matrix has shape [2 3], what it is multiplied with":  func() { sparse.Mul(m, []float64{1, 2}) },
		"is multiplied with a matrix of shape [2 3]":              func() { np.MatMul([]float64{1, 2, 3}, m) },
		"the matrix is nil":                                       func() { sparse.Mul(nil, []float64{1, 2}) },
		"2 methods are named":                                     func() { sparse.Mul(m, []float64{1, 2, 3}, sparse.SegScan, sparse.Cached) },
		"the matrix is square":                                    func() { sparse.CG(m, []float64{1, 2}) },
		"which is not positive: the matrix is not positive defin": func() { sparse.CG(sparse.FromDense([][]float64{{1, 0}, {0, -1}}), []float64{0, 1}) },
		"a matrix of -1 rows":                                     func() { sparse.FromTriplets(-1, 2, []int{}, []int{}, []int{}) },
	} {
		var got error
		func() {
			defer func() { got, _ = recover().(error) }()
			call()
		}()
		require.ErrorContains(t, got, want)
		require.IsType(t, &sparse.Error{}, got)
	}
}

// Conjugate gradients solve a mesh's equations; the answer is put into them again, in float64.
func TestConjugateGradients(t *testing.T) {
	testsize.InTurn(t, 1)
	use(t)
	const side = 12
	m := kinds["mesh"](side * side)
	for k := range m.vs {
		m.vs[k] = -1
		if m.is[k] == m.js[k] {
			m.vs[k] = 4
		}
	}
	b := make([]float32, m.rows)
	for i := range b {
		b[i] = rand.Float32()
	}
	for i, name := range machines[:2] {
		np.Use(name)
		s := sparse.CG(m.sparse(), b, sparse.By(methods[3*i]))
		require.True(t, s.Converged, s)
		require.Less(t, s.Steps, side*side)
		x := make([]float32, m.cols)
		for i, v := range s.X.AsType(np.Float64).Float64s() {
			x[i] = float32(v)
		}
		for i, y := range m.times(x) {
			require.InDelta(t, b[i], y, 1e-3)
		}
	}
	few := sparse.CG(m.sparse(), b, sparse.MostSteps(2), sparse.Tolerance(1e-3))
	require.False(t, few.Converged)
	require.Contains(t, few.String(), "did not converge after 2 steps, residual")
	require.True(t, sparse.CG(m.sparse(), np.Zeros(m.rows)).Converged)
}

func TestMatrixMarket(t *testing.T) {
	use(t)
	dir := t.TempDir()
	load := func(text string) (*sparse.Matrix, error) {
		path := filepath.Join(dir, "m.mtx")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return sparse.Load(path)
	}
	for text, want := range map[string]string{ // by the description of the format, NIST
		"%%MatrixMarket matrix coordinate real general\n% a comment\n\n2 3 3\n1 1 1.5\n2 3 -2e1\n1 1 1\n": "[[  2.5   0.    0. ]\n [  0.    0.  -20. ]]",
		"%%MatrixMarket MATRIX Coordinate Integer Symmetric\r\n2 2 2\r\n1 1 1\r\n2 1 7\r\n":               "[[1 7]\n [7 0]]",
		"%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n":                           "[[ 0. -1.]\n [ 1.  0.]]",
		"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n":                                     "[[1. 3.]\n [2. 4.]]",
		"%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n":                                   "[[1 2]\n [2 3]]",
		"%%MatrixMarket matrix coordinate real general\n2 2 0\n":                                          "[[0. 0.]\n [0. 0.]]",
	} {
		m, err := load(text)
		require.NoError(t, err, text)
		require.Equal(t, want, m.Array().String(), text)
	}
	for text, want := range map[string]string{
		"":        "the file does not begin with %%MatrixMarket",
		"1 2 3\n": "the file does not begin with %%MatrixMarket",
		"%%MatrixMarket matrix coordinate complex general\n1 1 0\n":                      `the file says "complex" where this reader knows real`,
		"%%MatrixMarket matrix coordinate real general\n1 1\n":                           "line 2: there are 2 sizes; 3 are due",
		"%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1\n":                  "the file ends after 1 of 2 values",
		"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 2 1\n":                  `line 3: "2" is not one of the 1 rows or columns`,
		"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 x\n":                  `line 3: "x" is not a number`,
		"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n1 1 1\n":           "line 4: there are more values than the file says",
		"%%MatrixMarket matrix coordinate real symmetric\n1 2 0\n":                       "the matrix is symmetric, and has 1 rows and 2 columns",
		"%%MatrixMarket matrix coordinate real general\n999999999999999 1 0\n":           "offsets of 999999999999999 rows",
		"%%MatrixMarket matrix coordinate real general\n1 99999999999 0\n":               "columns at most",
		"%%MatrixMarket matrix array pattern general\n1 1\n":                             "which has no values",
		"%%MatrixMarket matrix array real general\n1 1000000000\n1\n":                    "the file ends before row 1 of column 2",
		"%%MatrixMarket matrix coordinate real general\n1 1 999999999999999999\n1 1 1\n": "the file ends after 1 of",
	} {
		_, err := load(text)
		require.ErrorContains(t, err, want, text)
		require.IsType(t, &sparse.Error{}, err)
	}
	m := kinds["power law"](60).sparse()
	path := filepath.Join(dir, "saved.mtx")
	for _, d := range []np.DType{np.Float32, np.Float64, np.Int16, np.Int64} {
		require.NoError(t, m.AsType(d).Save(path))
		back, err := sparse.Load(path)
		require.NoError(t, err)
		require.Equal(t, m.AsType(d).Array().AsType(np.Float64).String(), back.Array().AsType(np.Float64).String())
	}
	_, err := sparse.Load(filepath.Join(dir, "none.mtx"))
	require.ErrorContains(t, err, "cannot be opened")
	require.Error(t, m.Save(filepath.Join(dir, "no", "m.mtx")))
}
