package tests

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/frames"
	gmat "github.com/arrayrepl/arrayrepl/lazy/gonum/mat"
	gstat "github.com/arrayrepl/arrayrepl/lazy/gonum/stat"
	"github.com/arrayrepl/arrayrepl/lazy/learn"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// tables is work on tables of so many rows, and models of them, each what a cell would call.
func tables(t *testing.T, rows int) map[string]func() {
	r := arrays.DefaultRNG(3)
	gone := r.Random(rows).Less(0.01)
	numbers := arrays.Where(gone, math.NaN(), r.Random(rows))
	words := arrays.FromSlice([]string{"Ulm", "a longer name", "", "Bonn am Rhein", "x"}).At(r.Integers(0, 5, rows))
	different := r.Integers(0, 1<<40, rows).AsType(arrays.Str(14))
	days := r.Integers(0, 20_000, rows).AsType(arrays.DateTime(arrays.Day))
	frame := frames.New("key", r.Integers(0, 1000, rows), "n", r.Integers(0, rows, rows), "x", numbers, "word", words, "text", different, "day", days,
		"masked", frames.Masked(r.Integers(0, 50, rows), gone))
	one := frames.New("key", arrays.Zeros(rows).AsType(arrays.Int64), "x", r.Random(rows))
	other := frames.New("n", r.Permutation(rows), "z", r.Random(rows), "text", different)
	big := lazy.FromArray(r.Random(rows/8, 8))
	wide := lazy.FromArray(r.Random(1500, 300))
	classes := lazy.FromArray(r.Integers(0, 3, rows/8))
	linear := learn.NewLinearRegression().Fit(big, big.At(lazy.All, 0))
	clusters := learn.NewKMeans(4, learn.MaxSteps(3)).Fit(big)
	path := filepath.Join(t.TempDir(), "table.csv")
	require.NoError(t, frame.Write(path))
	records, err := frame.Select("n", "x", "word", "day").MarshalJSON()
	require.NoError(t, err)
	all := map[string]func(){
		"New":              func() { frames.New("a", r.Random(rows), "t", different) },
		"Read":             func() { frames.Must(frames.Read(path)) },
		"Write":            func() { require.NoError(t, frame.Write(path+".new.csv")) },
		"Write arrow":      func() { require.NoError(t, frame.Write(path+".new.arrow")) },
		"MarshalJSON":      func() { _, _ = frame.MarshalJSON() },
		"UnmarshalJSON":    func() { require.NoError(t, new(frames.Table).UnmarshalJSON(records)) },
		"ReadRecords":      func() { _, _, _ = lazy.ReadRecords(bytes.NewReader(records)) },
		"Describe":         func() { _ = frame.Describe().String() },
		"String":           func() { _ = frame.String() },
		"MIMEBundle":       func() { _ = frame.MIMEBundle() },
		"Sort":             func() { frame.Sort("word", "-x") },
		"Sort by text":     func() { frame.Sort("-text") },
		"Where":            func() { _ = frame.Where(frame.Column("x").Less(0.5)).Len() },
		"DropMissing":      func() { frame.DropMissing() },
		"Unique":           func() { frame.Unique("text") },
		"Unique rows":      func() { frame.Unique() },
		"ValueCounts":      func() { frame.ValueCounts("word") },
		"ValueCounts many": func() { frame.ValueCounts("text") },
		"Array":            func() { _ = frame.Array("n", "x").String() },
		"Join":             func() { frame.Join(other, frames.On("n")) },
		"Join outer":       func() { frame.Join(other, frames.On("n"), frames.Outer) },
		"Join by text":     func() { frame.Select("text", "x").Join(other.Select("text", "z"), frames.Left) },
		"Agg":              func() { one.Agg(frames.Sum("x"), frames.Median("x"), frames.Std("x"), frames.NUnique("x")) },
		"KMeans":           func() { learn.NewKMeans(20, learn.MaxSteps(10)).Fit(big) },
		"KMeans predicts":  func() { _ = clusters.Predict(big).String() },
		"DBSCAN":           func() { learn.NewDBSCAN(0.05, 5).Fit(big.At(lazy.To(20_000), lazy.To(2))) },
		"LinearRegression": func() { learn.NewLinearRegression().Fit(big, big.At(lazy.All, 0)) },
		"linear predicts":  func() { _ = linear.Predict(big).String() },
		"linear of wide":   func() { learn.NewLinearRegression().Fit(wide, wide.At(lazy.All, 0)) },
		"LogisticRegression": func() {
			learn.NewLogisticRegression().Fit(big, classes)
		},
		"KNeighbors": func() {
			_ = learn.NewKNeighborsClassifier(3).Fit(big.At(lazy.To(5000)), classes.At(lazy.To(5000))).Predict(big.At(lazy.To(5000))).String()
		},
		"PCA":            func() { learn.NewPCA(5).Fit(wide) },
		"TruncatedSVD":   func() { learn.NewTruncatedSVD(5).Fit(wide) },
		"StandardScaler": func() { _ = learn.NewStandardScaler().FitTransform(big).String() },
		"TrainTestSplit": func() { learn.TrainTestSplit(big, classes, 0.3, 1) },
	}
	for _, by := range [][]string{{"key"}, {"word"}, {"text"}, {"day", "word"}, {"n"}} {
		name := "GroupBy " + by[0]
		all[name] = func() { frame.GroupBy(by...) }
	}
	groups, group := frame.GroupBy("key"), one.GroupBy("key")
	for name, f := range map[string]func(g *frames.Groups, columns ...string) *frames.Table{
		"Sum": (*frames.Groups).Sum, "Mean": (*frames.Groups).Mean, "Median": (*frames.Groups).Median, "Var": (*frames.Groups).Var, "Std": (*frames.Groups).Std,
		"Min": (*frames.Groups).Min, "Max": (*frames.Groups).Max, "First": (*frames.Groups).First, "Last": (*frames.Groups).Last,
		"NUnique": (*frames.Groups).NUnique, "Count": (*frames.Groups).Count,
	} {
		all["Groups."+name] = func() { f(groups) }
		all["one group's "+name] = func() { f(group) }
	}
	all["Groups.Max of text"] = func() { groups.Max("text", "day") }
	text, day := frame.Column("text"), frame.Column("day")
	for name, f := range map[string]func(){
		"Lower": func() { text.Lower() }, "Upper": func() { text.Upper() }, "Strip": func() { text.Strip() }, "Strip of 1": func() { text.Strip("1") },
		"Replace": func() { text.Replace("1", "one") }, "Split": func() { text.Split("1") }, "Contains": func() { text.Contains("77") },
		"StartsWith": func() { text.StartsWith("7") }, "EndsWith": func() { text.EndsWith("7") }, "Length": func() { text.Length() }, "Strings": func() { text.Strings() },
		"Year": func() { day.Year() }, "Quarter": func() { day.Quarter() }, "Month": func() { day.Month() }, "DayOfYear": func() { day.DayOfYear() },
		"Weekday": func() { day.Weekday() }, "Hour": func() { day.Hour() }, "Date": func() { _ = day.Date().String() }, "Column.Unique": func() { text.Unique() },
		"Missing": func() { frame.Column("x").Missing() }, "Filled": func() { _ = frame.Column("masked").Filled(0).String() },
		"Eq": func() { _ = text.Equal("77").String() }, "And": func() { frame.Column("x").Less(0.5).LogicalAnd(frame.Column("masked").Greater(3)) },
	} {
		all["Column: "+name] = f
	}
	x, y := r.Random(rows).Float64s(), r.Random(rows).Float64s()
	dense := gmat.NewDense(250, 250, r.Random(250*250).Float64s())
	all["stat.Correlation"] = func() { gstat.Correlation(x, y, nil) }
	all["stat.StdDev"] = func() { gstat.StdDev(x, nil) }
	all["mat.Inverse"] = func() { _ = new(gmat.Dense).Inverse(dense) }
	all["mat.Mul"] = func() { new(gmat.Dense).Mul(dense, dense) }
	all["mat.Det"] = func() { gmat.Det(dense) }
	return all
}

// TestTablesCanBeInterrupted: work on tables, and models, ask as often whether to go on as functions of arrays do:
// TestEverythingCanBeInterrupted.
func TestTablesCanBeInterrupted(t *testing.T) {
	chosen := os.Getenv("ARRAYREPL_INTERRUPTS")
	only, rows := regexp.MustCompile(chosen), 1_000_000
	if testsize.Short() && chosen == "" {
		rows = 300_000
	}
	testdevices.Use(t)
	lazy.Use("host")
	all := tables(t, rows)
	for at, name := range slices.Sorted(maps.Keys(all)) {
		if !only.MatchString(name) || chosen == "" && !testsize.Part(at, 3) {
			continue
		}
		asksOften(t, name, all[name])
	}
}
