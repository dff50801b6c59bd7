package samples_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	np "github.com/arrayrepl/arrayrepl/lazy"
	after "github.com/arrayrepl/arrayrepl/lazy/gonum/samples/after"
	before "github.com/arrayrepl/arrayrepl/lazy/gonum/samples/before"
)

// TestSamplesAgree: with gonum itself.
func TestSamplesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = r.NormFloat64()
		}
		return out
	}
	near := func(name string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance*max(1, math.Abs(want)) {
			t.Errorf("%s: %v, gonum gives %v", name, got, want)
		}
	}
	const n = 40_000
	x, y := numbers(n), numbers(n)
	near("Alike", after.Alike(np.FromSlice(x), np.FromSlice(y)), before.Alike(x, y), 1e-12)
	lazily := np.FromSlice(x) // the other changes x
	near("Energy", after.Energy(lazily), before.Energy(x), 1e-12)
	const size = 50
	a, b := numbers(size*size), numbers(size)
	near("Residual", after.Residual(size, a, b), before.Residual(size, a, b), 1e-11)
}

// TestChangedLinesAreShown: docs/offload.md has every line in which a sample differs from the one on gonum alone, and
// there are few.
func TestChangedLinesAreShown(t *testing.T) {
	page, err := os.ReadFile("../../../docs/offload.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"energy.go", "alike.go", "residual.go"} {
		old, now := lines(t, "before", name), lines(t, "after", name)
		changed := 0
		for _, l := range now {
			if slices.Contains(old, l) {
				continue
			}
			changed++
			if !strings.Contains(string(page), "\n+"+l+"\n") {
				t.Errorf("docs/offload.md does not show %q of %s", l, name)
			}
		}
		for _, l := range old {
			if !slices.Contains(now, l) && !strings.Contains(string(page), "\n-"+l+"\n") {
				t.Errorf("docs/offload.md does not show that %q of %s is replaced", l, name)
			}
		}
		if changed == 0 || changed > 4 {
			t.Errorf("%s: %d lines are new", name, changed)
		}
	}
}

func lines(t *testing.T, dir, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}
