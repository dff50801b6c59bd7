package frames_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/frames"
)

// cities is a table for the examples.
func cities() *frames.Table {
	return frames.New("city", []string{"Ulm", "Graz", "Bern", "Linz"}, "country", []string{"DE", "AT", "CH", "AT"}, "people", []int{126_000, 292_000, 134_000, 210_000})
}

func ExampleNew() {
	t := frames.New("city", []string{"Ulm", "Graz"}, "people", []int{126_000, 292_000}, "year", 2026)
	fmt.Println(t)
	// Output:
	// city  people  year
	// Ulm   126000  2026
	// Graz  292000  2026
	// 2 rows × 3 columns
}

func ExampleRead() {
	path := filepath.Join(os.TempDir(), "frames_example.csv")
	defer os.Remove(path)
	if err := os.WriteFile(path, []byte("id,people\n1,126000\n2,\n"), 0o600); err != nil {
		panic(err)
	}
	t, err := frames.Read(path)
	fmt.Println(t, err)
	fmt.Println(t.Column("people").DType())
	// Output:
	// id  people
	//  1  126000
	//  2    <NA>
	// 2 rows × 2 columns <nil>
	// int64
}

func ExampleMust() {
	defer func() { fmt.Println(recover() != nil) }()
	frames.Must(frames.Read("no such file.csv"))
	// Output: true
}

func ExampleTable_Col() {
	t := cities()
	fmt.Println(t.Col("people").Div(1000))
	// Output: [126. 292. 134. 210.]
}

func ExampleTable_Column() {
	t := frames.New("n", frames.Masked([]int{1, 0, 3}, []bool{false, true, false}))
	fmt.Println(t.Column("n").DType(), t.Column("n").Missing(), t.Col("n"))
	// Output: int64 [False  True False] [ 1. nan  3.]
}

func ExampleNewColumn() {
	fmt.Println(frames.NewColumn([]string{" Ulm ", "Graz"}).Strip().Upper())
	// Output:
	// text
	// ULM
	// GRAZ
	// 2 rows × 1 column
}

func ExampleMasked() {
	fmt.Println(frames.Masked([]int{1, 0, 3}, []bool{false, true, false}))
	// Output:
	// int64
	//     1
	//  <NA>
	//     3
	// 3 rows × 1 column
}

func ExampleColumn_Filled() {
	c := frames.Masked([]int{1, 0, 3}, []bool{false, true, false})
	fmt.Println(c.Filled(-1), c.Array())
	// Output: [ 1 -1  3] [ 1. nan  3.]
}

func ExampleColumn_Eq() {
	t := frames.New("n", frames.Masked([]int{1, 0, 3}, []bool{false, true, false}))
	n := t.Column("n")
	fmt.Println(n.Ne(1))
	fmt.Println(t.Where(n.Ne(1)))
	// Output:
	// bool
	// False
	// <NA>
	// True
	// 3 rows × 1 column
	// n
	// 3
	// 1 row × 1 column
}

func ExampleColumn_And() {
	people, country := cities().Column("people"), cities().Column("country")
	fmt.Println(cities().Where(people.Gt(200_000).And(country.Eq("AT"))).Col("city"))
	// Output: ['Graz' 'Linz']
}

func ExampleTable_Where() {
	t := cities()
	fmt.Println(t.Where(t.Col("people").Greater(200_000)))
	// Output:
	// city  country  people
	// Graz  AT       292000
	// Linz  AT       210000
	// 2 rows × 3 columns
}

func ExampleTable_Sort() {
	fmt.Println(cities().Sort("country", "-people").Select("country", "city"))
	// Output:
	// country  city
	// AT       Graz
	// AT       Linz
	// CH       Bern
	// DE       Ulm
	// 4 rows × 2 columns
}

func ExampleTable_Rename() {
	fmt.Println(cities().Rename("people", "inhabitants").Names())
	// Output: [city country inhabitants]
}

func ExampleTable_Unique() {
	fmt.Println(cities().Unique("country").Col("city"))
	// Output: ['Ulm' 'Graz' 'Bern']
}

func ExampleTable_DropMissing() {
	t := frames.New("n", frames.Masked([]int{1, 0, 3}, []bool{false, true, false}), "x", []float64{1, 2, 3})
	fmt.Println(t.DropMissing().Col("x"))
	// Output: [1. 3.]
}

func ExampleTable_ValueCounts() {
	fmt.Println(cities().ValueCounts("country"))
	// Output:
	// country  count
	// AT           2
	// DE           1
	// CH           1
	// 3 rows × 2 columns
}

func ExampleTable_Array() {
	fmt.Println(frames.New("a", []int{1, 2}, "b", []float64{0.5, 1.5}).Array())
	// Output:
	// [[1.  0.5]
	//  [2.  1.5]]
}

func ExampleTable_GroupBy() {
	fmt.Println(cities().GroupBy("country").Sum("people"))
	// Output:
	// country  people
	// AT       502000
	// CH       134000
	// DE       126000
	// 3 rows × 2 columns
}

func ExampleGroups_Agg() {
	fmt.Println(cities().GroupBy("country").Agg(frames.Sum("people"), frames.Median("people").As("median"), frames.First("city"), frames.Size()))
	// Output:
	// country  people_sum  median  city_first  size
	// AT           502000  251000  Graz           2
	// CH           134000  134000  Bern           1
	// DE           126000  126000  Ulm            1
	// 3 rows × 5 columns
}

func ExampleTable_Agg() {
	fmt.Println(cities().Agg(frames.Mean("people"), frames.Max("people"), frames.NUnique("country")))
	// Output:
	// people_mean  people_max  country_nunique
	//      190500      292000                3
	// 1 row × 3 columns
}

// totals is what an aggregation gives for people: 1, 2 and 4, and one that is missing.
func totals(a frames.Aggregation) any {
	t := frames.New("people", frames.Masked([]int{1, 0, 2, 4}, []bool{false, true, false, false}))
	return t.Agg(a.As("it")).Col("it").Item()
}

func ExampleSum() {
	fmt.Println(totals(frames.Sum("people")))
	// Output: 7
}

func ExampleMean() {
	fmt.Printf("%.3f\n", totals(frames.Mean("people")))
	// Output: 2.333
}

func ExampleMedian() {
	fmt.Println(totals(frames.Median("people")))
	// Output: 2
}

func ExampleVar() {
	fmt.Printf("%.3f\n", totals(frames.Var("people")))
	// Output: 2.333
}

func ExampleStd() {
	fmt.Printf("%.3f\n", totals(frames.Std("people")))
	// Output: 1.528
}

func ExampleMin() {
	fmt.Println(totals(frames.Min("people")))
	// Output: 1
}

func ExampleMax() {
	fmt.Println(totals(frames.Max("people")))
	// Output: 4
}

func ExampleFirst() {
	fmt.Println(totals(frames.First("people")))
	// Output: 1
}

func ExampleLast() {
	fmt.Println(totals(frames.Last("people")))
	// Output: 4
}

func ExampleCount() {
	fmt.Println(totals(frames.Count("people")))
	// Output: 3
}

func ExampleNUnique() {
	fmt.Println(totals(frames.NUnique("people")))
	// Output: 3
}

func ExampleSize() {
	fmt.Println(totals(frames.Size()))
	// Output: 4
}

func ExampleAggregation_As() {
	fmt.Println(cities().Agg(frames.Sum("people").As("all")).Names())
	// Output: [all]
}

func ExampleTable_Join() {
	countries := frames.New("country", []string{"AT", "CH", "FR"}, "capital", []string{"Wien", "Bern", "Paris"})
	fmt.Println(cities().Join(countries, frames.On("country"), frames.Left))
	// Output:
	// city  country  people  capital
	// Ulm   DE       126000
	// Graz  AT       292000  Wien
	// Bern  CH       134000  Bern
	// Linz  AT       210000  Wien
	// 4 rows × 4 columns
}

func ExampleOn() {
	a := frames.New("id", []int{1, 2}, "x", []int{10, 20})
	b := frames.New("id", []int{2, 3}, "y", []int{200, 300})
	fmt.Println(a.Join(b, frames.On("id"), frames.Outer))
	// Output:
	// id     x     y
	//  1    10  <NA>
	//  2    20   200
	//  3  <NA>   300
	// 3 rows × 3 columns
}

func ExampleOnPair() {
	a := frames.New("id", []int{1, 2})
	b := frames.New("owner", []int{2, 2}, "y", []int{200, 300})
	fmt.Println(a.Join(b, frames.OnPair("id", "owner")))
	// Output:
	// id  owner    y
	//  2      2  200
	//  2      2  300
	// 2 rows × 3 columns
}

func ExampleSuffixes() {
	a := frames.New("id", []int{1, 2}, "x", []int{10, 20})
	fmt.Println(a.Join(a, frames.On("id"), frames.Suffixes("", "_2")).Names())
	// Output: [id x x_2]
}

func ExampleJoinKind() {
	fmt.Println(frames.Inner, frames.Left, frames.Right, frames.Outer)
	// Output: Inner Left Right Outer
}

func ExampleColumn_Split() {
	t := frames.New("name", []string{"Ada Lovelace", "Plato"})
	for i, part := range t.Column("name").Split(" ") {
		t.Set([]string{"first", "last"}[i], part)
	}
	fmt.Println(t)
	// Output:
	// name          first  last
	// Ada Lovelace  Ada    Lovelace
	// Plato         Plato
	// 2 rows × 3 columns
}

func ExampleColumn_Contains() {
	t := cities()
	fmt.Println(t.Where(t.Column("city").Contains("r")).Col("city"))
	// Output: ['Graz' 'Bern']
}

func ExampleColumn_Weekday() {
	days := np.FromSlice([]string{"2026-11-23", "2026-11-29", "NaT"}).AsType(np.DateTime(np.Day))
	d := frames.NewColumn(days)
	fmt.Println(frames.New("year", d.Year(), "month", d.Month(), "weekday", d.Weekday()))
	// Output:
	// year  month  weekday
	// 2026     11        0
	// 2026     11        6
	// <NA>   <NA>     <NA>
	// 3 rows × 3 columns
}

func ExampleTable_MarshalJSON() {
	text, err := json.Marshal(frames.New("city", []string{"Ulm", ""}, "people", frames.Masked([]int{126_000, 0}, []bool{false, true})))
	fmt.Println(string(text), err)
	// Output: [{"city":"Ulm","people":126000},{"city":null,"people":null}] <nil>
}

func ExampleTable_UnmarshalJSON() {
	var t frames.Table
	err := json.Unmarshal([]byte(`[{"day":"2026-11-26","n":1},{"day":null,"n":2}]`), &t)
	fmt.Println(&t, err)
	// Output:
	// day         n
	// 2026-11-26  1
	// NaT         2
	// 2 rows × 2 columns <nil>
}
