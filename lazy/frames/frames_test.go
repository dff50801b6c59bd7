package frames

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// row is what the tests judge by: the same table as a slice of structs.
type row struct {
	city  string
	year  int
	value float64
}

func random(seed uint64, n int) ([]row, *Table) {
	r := rand.New(rand.NewPCG(seed, 1))
	rows := make([]row, n)
	cities, years, values := make([]string, n), make([]int, n), make([]float64, n)
	for i := range rows {
		rows[i] = row{[]string{"Ulm", "Graz", "Bern", ""}[r.IntN(4)], 2000 + r.IntN(3), r.NormFloat64() * 1e6}
		if r.IntN(5) == 0 {
			rows[i].value = math.NaN()
		}
		cities[i], years[i], values[i] = rows[i].city, rows[i].year, rows[i].value
	}
	return rows, New("city", cities, "year", years, "value", values)
}

// TestGroupsAsMaps: sums, means, extremes and counts are those that a map of slices gives.
func TestGroupsAsMaps(t *testing.T) {
	for seed := range uint64(50) {
		n := int(seed*seed) % 300
		rows, table := random(seed, n)
		want := map[string][]float64{}
		size := map[string]int{}
		for _, r := range rows {
			if r.city == "" {
				continue
			}
			k := fmt.Sprintf("%s %d", r.city, r.year)
			size[k]++
			if r.value == r.value {
				want[k] = append(want[k], r.value)
			}
		}
		keys := make([]string, 0, len(size))
		for k := range size {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		g := table.GroupBy("city", "year")
		sum, mean, least, most, count, some := g.Sum(), g.Mean("value"), g.Min(), g.Max("value"), g.Count(), g.Count("value")
		if g.Len() != len(keys) || count.Len() != len(keys) {
			t.Fatalf("seed %d: %d groups, want %d", seed, g.Len(), len(keys))
		}
		if got := fmt.Sprint(sum.Names(), count.Names(), some.Names()); got != "[city year value] [city year count] [city year value]" {
			t.Fatal(got)
		}
		cities, years := sum.Col("city").Strings(), sum.Col("year").Ints()
		for i, k := range keys {
			if got := fmt.Sprintf("%s %d", cities[i], years[i]); got != k {
				t.Fatalf("seed %d: group %d is %q, want %q", seed, i, got, k)
			}
			s, lo, hi := 0.0, math.NaN(), math.NaN()
			for j, v := range want[k] {
				s += v
				if j == 0 || v < lo {
					lo = v
				}
				if j == 0 || v > hi {
					hi = v
				}
			}
			m := float64(len(want[k]))
			for name, pair := range map[string][2]float64{
				"sum": {sum.Col("value").Float64(i), s}, "mean": {mean.Col("value").Float64(i), s / m},
				"min": {least.Col("value").Float64(i), lo}, "max": {most.Col("value").Float64(i), hi},
				"count": {count.Col("count").Float64(i), float64(size[k])}, "values": {some.Col("value").Float64(i), m},
			} {
				if same := pair[0] == pair[1] || pair[0] != pair[0] && pair[1] != pair[1]; !same && math.Abs(pair[0]-pair[1]) > 1e-9*(math.Abs(pair[1])+1e6) {
					t.Errorf("seed %d, %s of %s is %v, want %v", seed, name, k, pair[0], pair[1])
				}
			}
		}
	}
}

// TestGroupsOfDtypes: whole numbers stay whole, dates and text have extremes.
func TestGroupsOfDtypes(t *testing.T) {
	days := arrays.FromSlice([]string{"2026-03-01", "2026-01-05", "NaT", "2026-02-01"}).AsType(arrays.DateTime(arrays.Day))
	table := New("k", []bool{true, false, true, true}, "n", []int64{1 << 60, 5, 1, 2}, "ok", []bool{true, true, false, true},
		"day", days, "name", []string{"b", "z", "a", ""}, "u", []uint64{1, math.MaxUint64, 7, 9})
	g := table.GroupBy("k")
	for _, c := range []struct{ got, want string }{
		{fmt.Sprint(g.Sum("n", "ok").Col("n").Ints()), fmt.Sprint([]int{5, 1<<60 + 3})},
		{fmt.Sprint(g.Sum("ok").Col("ok")), "[1 2]"},
		{fmt.Sprint(g.Min("day").Col("day").Strings()), "[2026-01-05 2026-02-01]"},
		{fmt.Sprint(g.Max("day").Col("day").Strings()), "[2026-01-05 2026-03-01]"},
		{fmt.Sprint(g.Min("name").Col("name").Strings()), "[z a]"},
		{fmt.Sprint(g.Max("u").Col("u")), fmt.Sprint(arrays.FromSlice([]uint64{math.MaxUint64, 9}))},
		{fmt.Sprint(New("k", []float64{math.NaN(), math.NaN()}).GroupBy("k").Count().Len()), "0"},
		{g.String(), `2 groups of 4 rows by "k": use Sum, Mean, Count and their like, or Agg for several`},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// TestSort: by several columns, stable, missing values last both ways; sort.SliceStable is the judge.
func TestSort(t *testing.T) {
	for seed := range uint64(20) {
		rows, table := random(seed, 200)
		at := make([]int, len(rows))
		for i := range at {
			at[i] = i
		}
		less := func(x, y float64, down bool) bool {
			if x != x || y != y {
				return x == x && y != y
			}
			return x < y != down && x != y
		}
		sort.SliceStable(at, func(i, j int) bool {
			a, b := rows[at[i]], rows[at[j]]
			if a.year != b.year {
				return a.year > b.year
			}
			return less(a.value, b.value, seed%2 == 1)
		})
		by := "value"
		if seed%2 == 1 {
			by = "-value"
		}
		got := table.With("row", lazy.Arange(200)).Sort("-year", by).Col("row").Ints()
		if !slices.Equal(got, at) {
			t.Fatalf("seed %d: %v, want %v", seed, got, at)
		}
	}
}

// TestRows: rows by number and by mask, columns by name; a table made of another leaves it as it is.
func TestRows(t *testing.T) {
	table := New("x", []int{1, 2, 3, 4}, "y", 0.5)
	for _, c := range []struct {
		got  *Table
		want string
	}{
		{table.Where(table.Col("x").Greater(2)), "x    y\n3  0.5\n4  0.5\n2 rows × 2 columns"},
		{table.Head(1), "x    y\n1  0.5\n1 row × 2 columns"},
		{table.Tail(1).Drop("y"), "x\n4\n1 row × 1 column"},
		{table.Rows(1, -1).Select("y", "x"), "  y  x\n0.5  2\n0.5  3\n2 rows × 2 columns"},
		{table.With("y", table.Col("x").Mul(table.Col("y"))).Rows(0, 2), "x    y\n1  0.5\n2  1.0\n2 rows × 2 columns"},
		{table.Where([]bool{false, false, false, false}), "x  y\n0 rows × 2 columns"},
		{New(), "\n0 rows × 0 columns"},
		{New("a", "text"), "a\ntext\n1 row × 1 column"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
	if got := table.Col("y").Float64(3); got != 0.5 {
		t.Errorf("the first table has %v", got)
	}
}

// TestWriteReadsBack: what is written is read with the same values and dtypes.
func TestWriteReadsBack(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 3))
	n := 100
	x, f, ok, name := make([]int64, n), make([]float64, n), make([]bool, n), make([]string, n)
	for i := range n {
		x[i], f[i], ok[i] = r.Int64()-1<<62, math.Float64frombits(r.Uint64()), r.IntN(2) == 0
		name[i] = []string{"a, b", `say "no"`, "line\nbreak", "", "x"}[i%5]
	}
	f[0], f[1] = math.NaN(), math.Inf(-1)
	day := arrays.FromSlice([]string{"2026-11-22"}).AsType(arrays.DateTime(arrays.Day))
	table := New("x", x, "f", f, "ok", ok, "name", name).With("day", arrays.BroadcastTo(day, n).Copy())
	for _, file := range []string{"t.csv", "t.tsv"} {
		path := filepath.Join(dir, file)
		if err := table.Write(path); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got.Names()) != fmt.Sprint(table.Names()) || got.Len() != n {
			t.Fatalf("%v, %d rows", got.Names(), got.Len())
		}
		for _, c := range table.Names() {
			a, b := got.Col(c).Array(), table.Col(c).Array()
			if c == "name" {
				if !slices.Equal(a.Strings(), b.Strings()) {
					t.Errorf("names %q", a.Strings())
				}
				continue
			}
			if a.DType() != b.DType() || !a.Equal(b).LogicalOr(a.NotEqual(a).LogicalAnd(b.NotEqual(b))).AllTrue().Bool() {
				t.Errorf("%s: %s: %v, want %v", file, c, a, b)
			}
		}
	}
	if err := table.Write(filepath.Join(dir, "none", "t.csv")); err == nil {
		t.Error("written to a directory that is not there")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if info, err := os.Stat(filepath.Join(dir, "t.csv")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v %v", info, err)
	}
}

// TestDescribe: by hand; the quartiles are those of NumPy's percentile.
func TestDescribe(t *testing.T) {
	d := New("x", []float64{1, 2, math.NaN(), 3, 4}, "s", "a", "n", []int{5, 5, 5, 5, 5}).Describe()
	want := []float64{4, 2.5, math.Sqrt(5.0 / 3), 1, 1.75, 2.5, 3.25, 4}
	for i, v := range d.Col("x").Float64s() {
		if math.Abs(v-want[i]) > 1e-15 {
			t.Errorf("%s is %v, want %v", d.Col("statistic").Strings()[i], v, want[i])
		}
	}
	if got := fmt.Sprint(d.Names()); got != "[statistic x n]" {
		t.Error(got)
	}
}

// TestShown: large tables are shown in part, what is shown is escaped, numbers of a column have one form.
func TestShown(t *testing.T) {
	long := New("n", lazy.Arange(1000))
	if s := long.String(); strings.Count(s, "\n") != 12 || !strings.Contains(s, "4\n…\n") && !strings.Contains(s, "  4\n  …\n995\n") || !strings.HasSuffix(s, "1000 rows × 1 column") {
		t.Errorf("%s", s)
	}
	wide := New()
	for i := range 40 {
		wide.Set(fmt.Sprintf("c%02d", i), i)
	}
	if s := strings.SplitN(wide.String(), "\n", 2)[0]; !strings.Contains(s, "c07") || strings.Contains(s, "c08") || !strings.Contains(s, "c32") {
		t.Error(s)
	}
	b := New("<b>", []string{"<script>", strings.Repeat("long", 100)}, "v", []float64{1e-9, 12345.678}).MIMEBundle()
	page := b.Data["text/html"].(string)
	for _, w := range []string{"&lt;b&gt;", "&lt;script&gt;", `title="float64"`, "1e-09", "12345.7", "2 rows × 2 columns", "…"} {
		if !strings.Contains(page, w) {
			t.Errorf("the page lacks %s: %s", w, page)
		}
	}
}

// TestMistakes: each panics with the error of a cell, which says what is wrong and names what there is.
func TestMistakes(t *testing.T) {
	table := New("x", []int{1, 2}, "name", []string{"a", "b"})
	var odd []any
	odd = append(odd, "x")
	for want, f := range map[string]func(){
		`no column "y"; the table has "x", "name"`:  func() { table.Col("y") },
		`3 values are given for the 2 rows`:         func() { table.Set("z", []int{1, 2, 3}) },
		`shape [2 2]; a column is 1-d`:              func() { table.Set("z", lazy.Zeros(2, 2)) },
		`bool and have an element for each of the`:  func() { table.Where(table.Col("x")) },
		`dtype bool and shape [1]`:                  func() { table.Where([]bool{true}) },
		`only numbers have a sum`:                   func() { table.GroupBy("x").Sum("name") },
		`is a key of the groups already`:            func() { table.GroupBy("x").Sum("x") },
		`names and values come in turn`:             func() { New(odd...) },
		`must be the name of the column`:            func() { New(1, 2) },
		`two columns are named "x"`:                 func() { New("x", 1, "x", 2) },
		`no column is named to sort by`:             func() { table.Sort() },
		`no column is named to group by; the table`: func() { table.GroupBy() },
		`complex numbers have no order`:             func() { New("c", []complex128{1i}, "k", 1).GroupBy("k").Min("c") },
		`column "z"`:                                func() { table.Set("z", make(chan int)) },
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				var e *arrays.Error
				if !ok || !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
					t.Errorf("%v; want an error with %q", err, want)
				}
			}()
			f()
		}()
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.csv")); err == nil {
		t.Error("read a file that is not there")
	}
	if table.Len() != 2 || len(table.Names()) != 2 {
		t.Error("a mistake changed the table")
	}
}

// TestArrow: a table is read from Arrow's format as it was written, and a column of it.
func TestArrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	table := New("city", []string{"Ulm", "", "Bern"}, "value", []float64{1.5, math.NaN(), -0.25}, "year", []int{2000, 2001, 1 << 60})
	if err := table.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if again.String() != table.String() || again.Col("year").Array().Int64s()[2] != 1<<60 {
		t.Errorf("%v is read, and was\n%v", again, table)
	}
	one, err := Read(path, lazy.Columns("value"))
	if err != nil || !slices.Equal(one.Names(), []string{"value"}) || one.Len() != 3 {
		t.Error(one, err)
	}
	if _, err := Read(path, arrays.SkipLines(1)); err == nil || !strings.Contains(err.Error(), "for files of text") {
		t.Error(err)
	}
}
