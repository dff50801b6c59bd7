package multi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// TestScansAreDivided: running sums and their kin run on all devices, along each axis and along one long line, and have
// the bits that they have on one device, and those of package arrays where the order does not matter.
func TestScansAreDivided(t *testing.T) {
	testsize.InTurn(t, 1)
	rt := use(t)
	defer lazy.Use("host")
	defer offload.MinTile(0)
	for i, c := range []struct {
		shape []int
		axis  []int
		tiles int // on eight devices, at least
	}{
		{[]int{20_011}, nil, 5}, {[]int{3, 20_001}, []int{1}, 5}, {[]int{20_004, 3}, []int{0}, 5},
		{[]int{160, 130}, []int{0}, 8}, {[]int{160, 130}, []int{1}, 8}, {[]int{160, 130}, nil, 5},
		{[]int{5, 300, 9}, []int{1}, 0}, {[]int{400, 5, 9}, []int{0}, 0}, {[]int{5, 9, 300}, []int{2}, 0},
	} {
		n := 1
		for _, k := range c.shape {
			n *= k
		}
		opts := []arrays.AxisOption{}
		if c.axis != nil {
			opts = append(opts, arrays.Axis(c.axis[0]))
		}
		d := []arrays.DType{arrays.Float64, arrays.Int32, arrays.Float32}[(i/3+i)%3]
		given := arrays.Arange(float64(n)).Mul(0.37).Sin().Mul(1000).AsType(d).Reshape(c.shape...)
		for _, op := range []string{"CumSum", []string{"CumMax", "CumProd"}[i%2]} {
			says := fmt.Sprintf("%s of %v %v, axis %v", op, c.shape, d, c.axis)
			of := func(x *lazy.Array) *lazy.Array {
				switch op {
				case "CumSum":
					return x.CumSum(opts...)
				case "CumMax":
					return lazy.CumMax(x, opts...)
				}
				return x.GreaterEqual(0).AsType(d).Mul(2).Sub(1).CumProd(opts...)
			}
			lazy.Use("host")
			want := of(lazy.FromArray(given)).Array().Bytes()
			for _, machine := range [][]string{{"sim:a100x8#0", "sim:a100x8#1", "sim:a100x8#2"}, {"sim:v100x8"}} {
				lazy.Use(machine...)
				offload.MinTile(1000)
				x := lazy.FromArray(given).Mul(lazy.Ones(1).AsType(d))
				lazy.Eval(x)
				y := of(x)
				before := rt.Stats().CPUTasks
				lazy.Eval(y)
				require.Equal(t, before, rt.Stats().CPUTasks, says)
				require.GreaterOrEqual(t, len(kernelsOn()), 3, says)
				if len(machine) == 1 {
					require.GreaterOrEqual(t, len(y.Tiling().Tiles), c.tiles, says)
				}
				require.Equal(t, want, y.Array().Bytes(), "%s on %s", says, lazy.Device())
			}
		}
	}
}

// TestSortsAreDivided: many lines are sorted by all devices, long ones too; one line in tiles, which Explain says.
func TestSortsAreDivided(t *testing.T) {
	testsize.InTurn(t, 2)
	rt := use(t)
	defer lazy.SimulateProducts(lazy.SimulateProducts(1 << 30))
	defer lazy.Use("host")
	defer offload.MinTile(0)
	for _, c := range []struct {
		shape []int
		axis  int
	}{{[]int{8, 2500}, 1}, {[]int{2500, 8}, 0}, {[]int{64, 100}, 1}, {[]int{4, 30, 50}, 1}} {
		n := 1
		for _, k := range c.shape {
			n *= k
		}
		given := arrays.Arange(float64(n)).Mul(0.37).Sin().Reshape(c.shape...).AsType(arrays.Float32)
		lazy.Use("sim:v100x8")
		offload.MinTile(1000)
		for _, places := range []bool{false, true} {
			x := lazy.FromArray(given).Mul(1)
			lazy.Eval(x)
			y, want := x.Sort(arrays.Axis(c.axis)), given.Sort(arrays.Axis(c.axis))
			if places {
				y, want = x.ArgSort(arrays.Axis(c.axis)), given.ArgSort(arrays.Axis(c.axis))
			}
			before := rt.Stats().CPUTasks
			lazy.Eval(y)
			require.Equal(t, before, rt.Stats().CPUTasks)
			require.GreaterOrEqual(t, len(kernelsOn()), 8, "%v %v", c, places)
			require.Equal(t, want.Copy().Bytes(), y.Array().Bytes(), "%v %v", c, places)
		}
	}
	line := lazy.FromArray(arrays.Arange(5000).Sin()).Mul(1).Sort()
	require.Contains(t, lazy.Explain(line).String(), "tiles of it are sorted first")
	require.Equal(t, arrays.Arange(5000).Sin().Sort().Bytes(), line.Array().Bytes())
}
