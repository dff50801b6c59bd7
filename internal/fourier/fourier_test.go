package fourier

import (
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

func random(n int) []complex128 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(r.NormFloat64(), r.NormFloat64())
	}
	return x
}

// TestDefinition compares with the sum that defines the transform, at all frequencies of short lengths and at some of
// long ones. The bound is that of an algorithm whose error grows with the logarithm of the length, relative to the root
// of the sum of squares.
func TestDefinition(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 25, 30, 31, 32, 37, 49, 60, 64, 97, 100, 121, 127, 128, 169, 210, 256, 289, 961, 1000, 1009, 1024, 2310, 4093,
		4096, 5000, 8192, 10007, 16384, 30030, 65536, 3 * 65536, 7 * 7 * 4096, 2 * 10007, 1 << 18} {
		x := random(n)
		norm := 0.0
		for _, v := range x {
			norm = math.Hypot(norm, cmplx.Abs(v))
		}
		got := append([]complex128(nil), x...)
		New(n).Transform(got)
		roots := make([]complex128, n)
		for k := range roots {
			roots[k] = root(k, n)
		}
		step := max(1, n/37)
		for k := 0; k < n; k += step {
			want := complex128(0)
			low := complex128(0) // what the sum loses
			for j, v := range x {
				p := times(v, roots[int(int64(j)*int64(k)%int64(n))])
				next := want + (p + low)
				low = (p + low) - (next - want)
				want = next
			}
			if d := cmplx.Abs(got[k] - want); d > 4e-16*norm*(2+math.Log2(float64(n))) {
				t.Fatalf("length %d: element %d is %v, not %v: %.2g of the norm", n, k, got[k], want, d/norm)
			}
		}
	}
}

// TestRoots are the nearest floats, or their neighbours: checked by squares in long precision, and by symmetry.
func TestRoots(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8, 12, 360, 1 << 20} {
		for k := 0; k < n; k += max(1, n/1000) {
			w := root(k, n)
			c, s := new(big.Float).SetFloat64(real(w)), new(big.Float).SetFloat64(imag(w))
			sum := new(big.Float).Add(new(big.Float).Mul(c, c), new(big.Float).Mul(s, s))
			if length, _ := sum.Float64(); math.Abs(length-1) > 4e-16 {
				t.Errorf("root(%d, %d) has length %v", k, n, length)
			}
			if k > 0 && root(n-k, n) != conj(w) {
				t.Errorf("root(%d, %d) is not the conjugate of root(%d, %d)", n-k, n, k, n)
			}
			if d := cmplx.Abs(w - cmplx.Exp(complex(0, -2*math.Pi*float64(k)/float64(n)))); d > 2e-15 {
				t.Errorf("root(%d, %d) = %v", k, n, w)
			}
		}
	}
}

// TestThreads: the same bits however many compute.
func TestThreads(t *testing.T) {
	defer workers.SetCount(0)
	for _, n := range []int{1 << 15, 3 * 5 * 7 * 1024, 40009} {
		var first []complex128
		for _, threads := range []int{1, 2, 5} {
			workers.SetCount(threads)
			x := random(n)
			New(n).Transform(x)
			if first == nil {
				first = x
			}
			for i := range x {
				if x[i] != first[i] {
					t.Fatalf("length %d, %d threads: element %d is %v, not %v", n, threads, i, x[i], first[i])
				}
			}
		}
	}
}

func BenchmarkTransform(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 16, 1 << 20, 1000003} {
		x := random(n)
		p := New(n)
		b.Run(map[bool]string{true: "two", false: "prime"}[n&(n-1) == 0]+"/"+big.NewInt(int64(n)).String(), func(b *testing.B) {
			for b.Loop() {
				p.Transform(x)
			}
		})
	}
}

// TestVectorsGiveTheSameBits compares transforms by the processor's vectors with those without.
func TestVectorsGiveTheSameBits(t *testing.T) {
	if vectors == nil {
		t.Skip("this processor, or this build, has no vectors")
	}
	defer func(v *vector.Passes) { vectors = v }(vectors)
	for _, n := range []int{2, 4, 8, 12, 16, 24, 32, 60, 64, 100, 128, 512, 1000, 1009, 1024, 2048, 3 * 1024, 1 << 17} {
		x := random(n)
		want := slices.Clone(x)
		New(n).Transform(x)
		with := vectors
		vectors = nil
		New(n).Transform(want)
		vectors = with
		for k := range x {
			if math.Float64bits(real(x[k])) != math.Float64bits(real(want[k])) || math.Float64bits(imag(x[k])) != math.Float64bits(imag(want[k])) {
				t.Fatalf("length %d: element %d is %v, without vectors %v", n, k, x[k], want[k])
			}
		}
	}
}
