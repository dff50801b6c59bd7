package arrays

import (
	"slices"
	"testing"
	"time"
)

func TestTextAndDatesAsNumPy(t *testing.T) {
	var golden struct {
		Inputs map[string]goldenValue
		Cases  []struct {
			Op    string
			Args  []string
			Error bool
			Out   goldenValue
		}
		Casts []struct {
			In, To string
			Error  bool
			Out    goldenValue
		}
	}
	readGolden(t, "times.json", &golden)
	ops := map[string]func(x ...any) *Array{
		"sum": func(x ...any) *Array { return Sum(x[0]) }, "mean": func(x ...any) *Array { return Mean(x[0]) }, "prod": func(x ...any) *Array { return Prod(x[0]) },
		"max": func(x ...any) *Array { return Max(x[0]) }, "min": func(x ...any) *Array { return Min(x[0]) }, "ptp": func(x ...any) *Array { return Ptp(x[0]) },
		"argmax": func(x ...any) *Array { return ArgMax(x[0]) }, "argmin": func(x ...any) *Array { return ArgMin(x[0]) },
		"all": func(x ...any) *Array { return AllTrue(x[0]) }, "any": func(x ...any) *Array { return AnyTrue(x[0]) },
		"sort": func(x ...any) *Array { return Sort(x[0]) }, "argsort": func(x ...any) *Array { return ArgSort(x[0]) }, "unique": func(x ...any) *Array { return Unique(x[0]) },
		"cumsum": func(x ...any) *Array { return CumSum(x[0]) }, "maximum.accumulate": func(x ...any) *Array { return CumMax(x[0]) },
		"searchsorted": func(x ...any) *Array { return SearchSorted(Sort(x[0]), x[0]) }, "concat": func(x ...any) *Array { return Concat(0, x...) },
		"where": func(x ...any) *Array { return Where(golden.Inputs["b"].array(), x[0], Flip(x[0])) },
	}
	for u := range OpWhere {
		ops[u.String()] = func(x ...any) *Array { return Apply(u, x...) }
	}
	for _, c := range golden.Cases {
		var args []any
		for _, a := range c.Args {
			args = append(args, golden.Inputs[a].array())
		}
		var got *Array
		err := caught(func() { got = ops[c.Op](args...) })
		switch {
		case c.Error && err == nil:
			t.Errorf("%s%v: NumPy refuses, we give %v", c.Op, c.Args, got)
		case !c.Error && err != nil:
			t.Errorf("%s%v: %v", c.Op, c.Args, err)
		case !c.Error:
			if err := compare(got, c.Out, 0); err != nil {
				t.Errorf("%s%v: %v", c.Op, c.Args, err)
			}
		}
	}
	for _, c := range golden.Casts {
		var got *Array
		err := caught(func() { got = golden.Inputs[c.In].array().AsType(dtypeNamed(c.To)) })
		switch {
		case c.Error && err == nil:
			t.Errorf("%s as %s: NumPy refuses, we give %v", c.In, c.To, got)
		case !c.Error && err != nil:
			t.Errorf("%s as %s: %v", c.In, c.To, err)
		case !c.Error:
			if err := compare(got, c.Out, 0); err != nil {
				t.Errorf("%s as %s: %v, not %v", c.In, c.To, err, c.Out.array())
			}
		}
	}
}

// TestCalendar: our months and days against Go's calendar, over all of its years from 1 to 9999 and beyond a cycle of
// leap years.
func TestCalendar(t *testing.T) {
	at := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	for at.Year() < 10000 {
		days := floorDivInt(at.Unix(), 86400)
		if got := dateText(days, Day); got != at.Format("2006-01-02") {
			t.Fatalf("day %d is %s, Go says %s", days, got, at.Format("2006-01-02"))
		}
		if v, u, ok := parseDate(at.Format("2006-01-02T15:04:05.000000")); !ok || u != Microsecond || v != at.UnixMicro() {
			t.Fatalf("%v parses to %d %v %v", at, v, u, ok)
		}
		if back := timeOf(at.Unix(), Second); !back.Equal(at) {
			t.Fatalf("%v comes back as %v", at, back)
		}
		at = at.Add(1000*time.Hour + 17*time.Minute)
	}
}

// TestNaTIsNaN: NumPy makes -9.2e18 of it; here a date that is none becomes a number that is none, and back.
func TestNaTIsNaN(t *testing.T) {
	a := FromSlice([]string{"NaT", "1970-01-03"}).AsType(DateTime(Day))
	if got := a.AsType(Float64); got.String() != "[nan  2.]" || got.AsType(DateTime(Day)).String() != a.String() {
		t.Errorf("got %v, back %v", got, got.AsType(DateTime(Day)))
	}
}

func TestGoTimes(t *testing.T) {
	at := []time.Time{time.Date(2024, 2, 29, 1, 2, 3, 456789, time.FixedZone("east", 7200)), {}, time.Date(1969, 12, 31, 23, 59, 59, 999999999, time.UTC)}
	a := FromSlice(at)
	if got := a.String(); got != "['2024-02-28T23:02:03.000456789'                           'NaT'\n '1969-12-31T23:59:59.999999999']" {
		t.Errorf("got %s", got)
	}
	for i, back := range a.Times() {
		if !back.Equal(at[i]) {
			t.Errorf("%v came back as %v", at[i], back)
		}
	}
	later := a.Add(36 * time.Hour).AsType(DateTime(Day))
	if got := later.Strings(); !slices.Equal(got, []string{"2024-03-01", "NaT", "1970-01-02"}) {
		t.Errorf("36 hours later: %v", got)
	}
	if span := a.Sub(a.At(0)).At(2).Item(); span != at[2].Sub(at[0]) {
		t.Errorf("the difference is %v, Go says %v", span, at[2].Sub(at[0]))
	}
	if got := a.Gt(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).Bools(); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("after 2000: %v", got)
	}
}
