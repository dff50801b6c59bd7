package tests

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/learn"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// places are where the workloads of the offload-annotations paper run in these tests: all must give the same answers.
var places = []string{"host", "sim:v100", "sim:tiny"}

// TestCrimeIndex: the published program gives 0.005 of each city. On 1 MB it runs in pieces.
func TestCrimeIndex(t *testing.T) {
	const n = 1 << 16
	for _, place := range places {
		rt := testdevices.Use(t)
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

// TestDBSCAN: 32 groups of points are found again; eps is 16 and a cluster holds a twentieth of a group, as published.
// Each row needs all the others: on a device with little memory it runs whole, on the CPU, and says so.
func TestDBSCAN(t *testing.T) {
	testsize.InTurn(t, 0)
	const n, d, groups = 128, 256, 32
	for _, c := range []struct {
		place string
		limit int64
	}{{"host", 0}, {"sim:v100", 0}, {"sim:tiny", 0}, {"sim:tiny", 100_000}} {
		rt := testdevices.Use(t)
		lazy.Use(c.place)
		rt.SetMemLimit(c.limit)
		var said []string
		rt.Warn = func(m string) { said = append(said, m) }
		labels, number := workloads.Clusters(workloads.Blobs(42, n, d, groups), 16, max(2, n/groups/20))
		if got := number.Item(); got != int64(groups) {
			t.Errorf("%s: %v clusters", c.place, got)
		}
		of := labels.Ints()
		for i, c := range of {
			if c != i%groups { // the first points of the groups come in turn, and so do their numbers
				t.Fatalf("point %d is in cluster %d, want %d: %v", i, c, i%groups, of[:64])
			}
		}
		if warned := strings.Contains(strings.Join(said, "\n"), "runs on the CPU: "); warned != (c.limit > 0) {
			t.Errorf("%s with %d bytes: it said %q", c.place, c.limit, said)
		}
	}
}

// TestClassifyWines: over nine of ten wines are classified rightly, the same everywhere and however often each is
// asked.
func TestClassifyWines(t *testing.T) {
	testsize.InTurn(t, 2)
	for _, place := range places {
		testdevices.Use(t)
		lazy.Use(place)
		once, more := workloads.ClassifyWines(1).Float64(), workloads.ClassifyWines(4).Float64()
		if once <= 0.9 || once >= 1 || math.Abs(once-more) > 1e-12 {
			t.Errorf("%s: %v are right, of four of each %v", place, once, more)
		}
	}
}

// TestComponents: the directions are those of gonum's principal components, but for their signs.
func TestComponents(t *testing.T) {
	testdevices.Use(t)
	x, _ := workloads.Wines()
	x = learn.NewStandardScaler().FitTransform(x)
	var pc stat.PC
	if !pc.PrincipalComponents(mat.NewDense(178, 13, x.Float64s()), nil) {
		t.Fatal("gonum has no components")
	}
	var want mat.Dense
	pc.VectorsTo(&want)
	got := learn.NewPCA(2).Fit(x).Components()
	for c := range 2 {
		dot := 0.0
		for f := range 13 {
			dot += want.At(f, c) * got.Float64(c, f)
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
		testdevices.Use(t)
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
		centres, nearest := workloads.Centres(x, k, steps)
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
