package viz

import (
	"fmt"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

func TestNiceSpanEndsAtRoundNumbers(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "[0 0.2 0.4 0.6 0.8 1]"},
		{0.3, 9.7, "[0 2 4 6 8 10]"},
		{1959, 2017, "[1940 1960 1980 2000 2020]"},
		{-3, 3, "[-4 -2 0 2 4]"},
		{5, 5, "[4.4 4.6 4.8 5 5.2 5.4 5.6]"},
		{0, 0, "[-1 -0.5 0 0.5 1]"},
	} {
		s := niceSpan(c.lo, c.hi, 5)
		var got []string
		for _, v := range s.ticks {
			got = append(got, number(v))
		}
		if fmt.Sprint(got) != c.want || s.min > c.lo || s.max < c.hi {
			t.Errorf("%v to %v: ticks %v in %v to %v, want %s", c.lo, c.hi, got, s.min, s.max, c.want)
		}
	}
}

// A bar whose value is the power of ten at which an axis would begin has a height.
func TestSmallestBarsOnLogAxesAreSeen(t *testing.T) {
	for want, y := range map[float64][]float64{0.1: {1, 100}, 1: {2, 100}, 10: {100, 1000}} {
		_, s := ranged(&Panel{X: Axis{Categories: []string{"a", "b"}}, Y: Axis{Log: true}, Series: []Series{{Mark: MarkBar, Y: y}}})
		if s.min != want {
			t.Errorf("bars of %v begin at %v, want %v", y, s.min, want)
		}
	}
}

func TestNumbersAreForPeople(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1980, "1980"}, {10000, "10,000"}, {-1234567, "-1,234,567"}, {0.1 + 0.2, "0.3"}, {1e-6, "1e-6"}, {2.5e12, "2.5e12"}, {12345.5, "12,345.5"}, {-0.25, "-0.25"},
	} {
		if got := number(c.v); got != c.want {
			t.Errorf("%v prints %q, want %q", c.v, got, c.want)
		}
	}
}

func TestUnitsFitTheSpan(t *testing.T) {
	for _, c := range []struct {
		d    trace.Time
		want string
	}{{0, "ns"}, {999 * trace.Nanosecond, "ns"}, {113 * trace.Microsecond, "µs"}, {3500 * trace.Microsecond, "ms"}, {2 * trace.Second, "s"}} {
		if got := unitFor(c.d).name; got != c.want {
			t.Errorf("%v in %s, want %s", c.d, got, c.want)
		}
	}
}

func TestColoursMeanOneThing(t *testing.T) {
	for k := trace.Alloc; k <= trace.Overhead; k++ {
		if kindColors[k] == "" {
			t.Errorf("no colour for %v", k)
		}
	}
	tables := [][]string{issueColors[:], stallColors[:], seriesColors, nil}
	for _, c := range kindColors {
		tables[3] = append(tables[3], c)
	}
	for i, table := range tables {
		seen := map[string]bool{}
		for _, c := range table {
			if seen[c] {
				t.Errorf("table %d has %s twice", i, c)
			}
			seen[c] = true
		}
	}
	luma := func(hex string) int { c := rgb(hex); return 299*int(c.R) + 587*int(c.G) + 114*int(c.B) }
	for i := 1; i < len(issueColors); i++ {
		if luma(issueColors[i]) >= luma(issueColors[i-1]) {
			t.Errorf("issue slots must get darker with more lanes: %s after %s", issueColors[i], issueColors[i-1])
		}
	}
}
