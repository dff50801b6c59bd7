package tests

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
)

// places are where the workloads of the offload-annotations paper run in these tests: all must give the same answers.
var places = []string{"host", "sim:v100", "sim:tiny"}

// TestCrimeIndex: the published program gives 0.005 of each city. On 1 MB it runs in pieces.
func TestCrimeIndex(t *testing.T) {
	const n = 1 << 16
	for _, place := range places {
		rt := useDevices(t)
		lazy.Use(place)
		if place == "sim:tiny" {
			rt.SetMemLimit(1 << 20)
		}
		got := workloads.CrimeIndex(workloads.Cities(n)).Float64()
		if want := 0.005 * n; math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, want %v", place, got, want)
		}
		if s := rt.Stats(); place == "sim:tiny" && (s.Pieces < 2 || s.BytesIn != 3*8*n) {
			t.Errorf("%d pieces, %d bytes in; want several, %d", s.Pieces, s.BytesIn, 3*8*n)
		}
	}
}

// TestDBSCAN: 32 groups of points are found again, whatever they are numbered; eps is 16 and a cluster holds a twentieth of a
// group, as published.
func TestDBSCAN(t *testing.T) {
	const n, d, groups = 128, 256, 32
	for _, place := range places {
		useDevices(t)
		lazy.Use(place)
		of := workloads.DBSCAN(workloads.Standardise(workloads.Blobs(42, n, d, groups)), 16, max(2, n/groups/20)).Ints()
		for i, c := range of {
			if c != i%groups { // the first points of the groups come in turn, and so do their numbers
				t.Fatalf("%s: point %d is in cluster %d, want %d: %v", place, i, c, i%groups, of[:64])
			}
		}
	}
}

// TestDBSCANFindsNoise: points on a line, by hand: two are near each other, one alone, and one near a core point is no core itself.
func TestDBSCANFindsNoise(t *testing.T) {
	useDevices(t)
	x := lazy.From2D([][]float64{{0}, {1}, {2}, {10}, {2.9}, {20}, {20.5}, {21}})
	if got := fmt.Sprint(workloads.DBSCAN(x, 1, 3).Ints()); got != "[0 0 0 -1 0 1 1 1]" {
		t.Errorf("clusters %s", got)
	}
}

// TestClassifyWines: over nine of ten wines are classified rightly, the same everywhere and however often each is asked.
func TestClassifyWines(t *testing.T) {
	for _, place := range places {
		useDevices(t)
		lazy.Use(place)
		once, more := workloads.ClassifyWines(1).Float64(), workloads.ClassifyWines(4).Float64()
		if once <= 0.9 || once >= 1 || math.Abs(once-more) > 1e-12 {
			t.Errorf("%s: %v are right, of four of each %v", place, once, more)
		}
	}
}

// TestComponents: the directions are those of gonum's principal components, but for their signs.
func TestComponents(t *testing.T) {
	useDevices(t)
	x, _ := workloads.Wines()
	x = workloads.Standardise(x)
	var pc stat.PC
	if !pc.PrincipalComponents(mat.NewDense(178, 13, x.Float64s()), nil) {
		t.Fatal("gonum has no components")
	}
	var want mat.Dense
	pc.VectorsTo(&want)
	got := workloads.Components(x, 2)
	for c := range 2 {
		dot := 0.0
		for f := range 13 {
			dot += want.At(f, c) * got.Float64(f, c)
		}
		if math.Abs(math.Abs(dot)-1) > 1e-10 {
			t.Errorf("component %d: the cosine to gonum's is %v", c, dot)
		}
	}
}

// TestKMeans: as the same steps written as loops.
func TestKMeans(t *testing.T) {
	const n, d, k, steps = 200, 3, 4, 5
	for _, place := range places {
		useDevices(t)
		lazy.Use(place)
		x := workloads.Blobs(3, n, d, k)
		p := x.Float64s()
		want := append([]float64{}, p[:k*d]...)
		of := make([]int, n)
		assign := func() {
			for i := range n {
				best := math.Inf(1)
				for c := range k {
					s := 0.0
					for f := range d {
						s += (p[i*d+f] - want[c*d+f]) * (p[i*d+f] - want[c*d+f])
					}
					if s < best {
						best, of[i] = s, c
					}
				}
			}
		}
		for range steps {
			assign()
			sum, count := make([]float64, k*d), make([]float64, k)
			for i, c := range of {
				count[c]++
				for f := range d {
					sum[c*d+f] += p[i*d+f]
				}
			}
			for i := range sum {
				if count[i/d] > 0 {
					want[i] = sum[i] / count[i/d]
				}
			}
		}
		assign()
		centres, nearest := workloads.KMeans(x, k, steps)
		lazy.Eval(centres, nearest)
		for i, v := range centres.Float64s() {
			if math.Abs(v-want[i]) > 1e-12 {
				t.Fatalf("%s: coordinate %d of the centres is %v, want %v", place, i, v, want[i])
			}
		}
		if got := nearest.Ints(); fmt.Sprint(got) != fmt.Sprint(of) {
			t.Errorf("%s: nearest %v, want %v", place, got, of)
		}
	}
}
