package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// TestErrors: what was wrong is said at the call, with the shapes.
func TestErrors(t *testing.T) {
	use(t, host.ID)
	x, y := np.Ones(10, 3), np.Arange(10).Mod(2)
	for _, c := range []struct {
		name string
		call func()
		want []string
	}{
		{"transform before fit", func() { NewStandardScaler().Transform(x) }, []string{"StandardScaler().Transform", "not fitted", "Fit first"}},
		{"predict before fit", func() { NewKMeans(2).Predict(x) }, []string{"KMeans(k=2, seed=0).Predict", "not fitted"}},
		{"attribute before fit", func() { NewPCA(2).Components() }, []string{"PCA(k=2)", "components_", "not fitted"}},
		{"features", func() { NewPCA(2).Fit(x).Transform(np.Ones(4, 5)) }, []string{"[4 5]", "10×3", "3 features"}},
		{"coordinates", func() { NewPCA(2).Fit(x).InverseTransform(x) }, []string{"[10 3]", "2 coordinates"}},
		{"no matrix", func() { NewPCA(2).Fit(y) }, []string{"[10]", "Reshape(-1, 1)"}},
		{"text", func() { NewStandardScaler().Fit([]string{"a"}) }, []string{"real numbers"}},
		{"complex", func() { NewStandardScaler().Fit(np.Ones(2, 2).AsType(np.Complex128)) }, []string{"complex128", "real numbers"}},
		{"empty", func() { NewStandardScaler().Fit(np.Ones(0, 3)) }, []string{"[0 3]", "at least one"}},
		{"no array", func() { NewStandardScaler().Fit(nil) }, []string{"StandardScaler().Fit"}},
		{"components", func() { NewPCA(4).Fit(x) }, []string{"10 samples of 3 features", "k is 4"}},
		{"components of a decomposition", func() { NewTruncatedSVD(4).Fit(x) }, []string{"k is 4"}},
		{"no components", func() { NewPCA(0) }, []string{"k is 0"}},
		{"labels", func() { NewKNeighborsClassifier(3).Fit(x, np.Arange(9)) }, []string{"10 samples", "[9]"}},
		{"neighbours", func() { NewKNeighborsClassifier(11).Fit(x, y) }, []string{"10 samples", "11 neighbours"}},
		{"no neighbours", func() { NewKNeighborsClassifier(0) }, []string{"k is 0"}},
		{"scored labels", func() { NewKNeighborsClassifier(1).Fit(x, y).Score(x, np.Arange(3)) }, []string{"10 samples", "[3]"}},
		{"clusters", func() { NewKMeans(11).Fit(x) }, []string{"10 samples", "11 clusters"}},
		{"first centres", func() { NewKMeans(2, Init(np.Ones(3, 3))) }, []string{"[3 3]", "2 of them"}},
		{"features of first centres", func() { NewKMeans(2, Init(np.Ones(2, 4))).Fit(x).Labels().Array() }, []string{"[2 4]", "[10 3]", "features"}},
		{"eps", func() { NewDBSCAN(-1, 2) }, []string{"eps is -1"}},
		{"enough", func() { NewDBSCAN(1, 0) }, []string{"minSamples is 0"}},
		{"share", func() { TrainTestSplit(x, y, 1.5, 0) }, []string{"1.5 of 10"}},
		{"rows", func() { TrainTestSplit(x, np.Ones(3), 0.5, 0) }, []string{"[10 3]", "[3]"}},
	} {
		func() {
			defer func() {
				r := recover()
				msg := fmt.Sprint(r)
				for _, w := range c.want {
					if !strings.Contains(msg, w) {
						t.Errorf("%s: the message %q does not name %q", c.name, msg, w)
					}
				}
				if _, ok := r.(*arrays.Error); !ok {
					t.Errorf("%s: the error is a %T", c.name, r)
				}
			}()
			c.call()
			t.Errorf("%s: no panic", c.name)
		}()
	}
}

// TestRefit: what was asked of a model before it was fitted again keeps its answer.
func TestRefit(t *testing.T) {
	for _, where := range []string{host.ID, "sim:tiny"} {
		use(t, where)
		a, b := np.FromSlice([]float64{0, 2}, 2, 1), np.FromSlice([]float64{10, 30}, 2, 1)
		s := NewStandardScaler().Fit(a)
		before := s.Transform(b)
		after := s.Fit(b).Transform(b)
		if got := fmt.Sprint(after.Float64s(), before.Float64s(), s); got != "[-1 1] [9 29] StandardScaler(): fitted on 2×1" {
			t.Errorf("%s: %s", where, got)
		}
	}
}

// TestPredictionsAreCut: a model is passed whole to calls that see some rows each, and the answers are those for all at
// once.
func TestPredictionsAreCut(t *testing.T) {
	use(t, host.ID)
	r := arrays.DefaultRNG(4)
	x, y := np.FromArray(r.Normal(0, 1, 50, 2)), np.FromArray(r.Integers(0, 3, 50))
	m := NewKNeighborsClassifier(3).Fit(x, y)
	asked := r.Normal(0, 1, 40_000, 2)
	got := m.Predict(np.FromArray(asked))
	if e := np.Explain(got).String(); !strings.Contains(e, "KNeighborsClassifier.predict on the CPU") {
		t.Errorf("it would run elsewhere: %s", e)
	}
	all := got.Ints()
	for from := 0; from < 40_000; from += 7777 {
		to := min(from+100, 40_000)
		some := m.Predict(np.FromArray(asked.At(arrays.S(from, to)).Copy())).Ints()
		for i, c := range some {
			if all[from+i] != c {
				t.Fatalf("sample %d has class %d, alone %d", from+i, all[from+i], c)
			}
		}
	}
}

// TestPlusPlus: groups far from each other are found from centres that are chosen at random, whatever the seed, and the
// same with the same seed.
func TestPlusPlus(t *testing.T) {
	const n, groups = 400, 8
	r := arrays.DefaultRNG(11)
	points := r.Normal(0, 1, n, 2).Add(arrays.Arange(n).Mod(groups).Mul(50).Reshape(n, 1))
	for _, where := range []string{host.ID, "sim:tiny"} {
		use(t, where)
		for seed := range 5 {
			x := np.FromArray(points)
			of := NewKMeans(groups, Seed(seed)).FitPredict(x).Ints()
			for i := range of {
				if of[i] != of[i%groups] {
					t.Fatalf("%s, seed %d: samples %d and %d of one group are in clusters %d and %d", where, seed, i, i%groups, of[i], of[i%groups])
				}
			}
			if again := NewKMeans(groups, Seed(seed)).FitPredict(x).Ints(); fmt.Sprint(again) != fmt.Sprint(of) {
				t.Errorf("%s, seed %d: other clusters", where, seed)
			}
		}
	}
	use(t, host.ID)
	same := np.Ones(5, 2) // as many clusters as samples, which are all one point
	if got := NewKMeans(5).Fit(same).Inertia().Float64(); got != 0 {
		t.Errorf("the inertia of one point is %v", got)
	}
}

func TestTrainTestSplit(t *testing.T) {
	use(t, host.ID)
	x := np.Arange(20).Reshape(10, 2)
	a, b, c, d := TrainTestSplit(x, np.Arange(10), 0.25, 1)
	if got := fmt.Sprint(a.Shape(), b.Shape(), c.Shape(), d.Shape()); got != "[7 2] [3 2] [7] [3]" {
		t.Errorf("shapes %s", got)
	}
	seen := map[int]bool{}
	for i, k := range append(c.Ints(), d.Ints()...) {
		seen[k] = true
		if row := append(a.Ints(), b.Ints()...)[2*i]; row != 2*k {
			t.Errorf("the row that begins with %d goes with %d", row, k)
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d samples of 10", len(seen))
	}
}
