package arrays

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The largest and smallest float are those of the plain loop, bit for bit but for the payloads of NaNs, whatever the
// vector loops leave to it: NaNs, zeros of both signs, lengths that are not multiples of a round.
func TestExtremesOfFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	zeros := []float64{0, math.Copysign(0, -1)}
	for n := 1; n < 600; n = n*5/4 + 1 {
		for kind := range 4 {
			v := make([]float64, n)
			for i := range v {
				switch kind {
				case 0:
					v[i] = r.NormFloat64()
				case 1: // negative and zeros, or positive and zeros
					v[i] = -math.Abs(r.NormFloat64()) * float64(r.IntN(2))
				case 2:
					v[i] = zeros[r.IntN(2)]
				case 3:
					v[i] = math.Inf(r.IntN(2)*2 - 1)
				}
			}
			if kind != 2 && n > 1 && r.IntN(2) == 0 {
				v[r.IntN(n)] = math.NaN()
			}
			a := FromSlice(v)
			checkExtreme(t, a, maxBlock(v), minBlock(v))
			narrow := a.AsType(Float32)
			w := narrow.Float32s()
			checkExtreme(t, narrow, float64(maxBlock(w)), float64(minBlock(w)))
			// the same numbers as columns beside others
			columns := BroadcastTo(a.Reshape(n, 1), n, 37).Copy()
			checkExtreme(t, FromSlice([]float64{columns.Max(Axis(0)).Float64(36)}), maxBlock(v), maxBlock(v))
			checkExtreme(t, FromSlice([]float64{columns.Min(Axis(0)).Float64(20)}), minBlock(v), minBlock(v))
		}
	}
}

func checkExtreme(t *testing.T, a *Array, largest, smallest float64) {
	t.Helper()
	for _, c := range [][2]float64{{a.AsType(Float64).Max().Float64(), largest}, {a.AsType(Float64).Min().Float64(), smallest}, {a.Max().AsType(Float64).Float64(), largest}, {a.Min().AsType(Float64).Float64(), smallest}} {
		if math.Float64bits(c[0]) != math.Float64bits(c[1]) && !(math.IsNaN(c[0]) && math.IsNaN(c[1])) {
			t.Fatalf("an extreme of %v is %v, by the plain loop %v", a, c[0], c[1])
		}
	}
}

// Columns that are summed together have the bits of each summed alone, and so have rows that several processors share.
func TestSumsOfColumns(t *testing.T) {
	for _, shape := range [][2]int{{3, 5}, {8, 17}, {263, 70}, {1025, 64}, {70, 2000}} {
		rows, columns := shape[0], shape[1]
		m := noise(rows*columns).Reshape(rows, columns)
		for _, a := range []*Array{m, m.At(S(0, End), S(1, End)), m.At(S(End, End, -1)), m.T()} {
			for axis := range 2 {
				sums := a.Sum(Axis(axis)).Float64s()
				for i := range sums {
					lines := a
					if axis == 0 {
						lines = a.T()
					}
					if want := lines.At(i).Copy().Sum().Float64(); math.Float64bits(sums[i]) != math.Float64bits(want) {
						t.Fatalf("shape %v, axis %d: sum %d is %v, alone %v", a.Shape(), axis, i, sums[i], want)
					}
				}
			}
		}
	}
}
