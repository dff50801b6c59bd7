package frames_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/frames"
)

func ExampleColumn_Lower() {
	fmt.Println(frames.NewColumn([]string{"Oak tree", "ash"}).Lower().Array())
	// Output:
	// ['oak tree' 'ash']
}

func ExampleColumn_Upper() {
	fmt.Println(frames.NewColumn([]string{"Oak tree", "ash"}).Upper().Array())
	// Output:
	// ['OAK TREE' 'ASH']
}

func ExampleColumn_Strip() {
	fmt.Println(frames.NewColumn([]string{"Oak tree", "ash"}).Strip("Oh").Array())
	// Output:
	// ['ak tree' 'as']
}

func ExampleColumn_Replace() {
	fmt.Println(frames.NewColumn([]string{"Oak tree", "ash"}).Replace("tree", "wood").Array())
	// Output:
	// ['Oak wood' 'ash']
}

func ExampleColumn_StartsWith() {
	fmt.Println(frames.NewColumn([]string{"Oak tree", "ash"}).StartsWith("Oak").Array())
	// Output:
	// [ True False]
}

func ExampleColumn_EndsWith() {
	fmt.Println(frames.NewColumn([]string{"Oak tree", "ash"}).EndsWith("h").Array())
	// Output:
	// [False  True]
}

func ExampleColumn_Length() {
	fmt.Println(frames.NewColumn([]string{"Oak tree", "ash"}).Length().Array())
	// Output:
	// [8 3]
}

func ExampleColumn_Ne() {
	n := frames.Masked([]int{1, 2, 0}, []bool{false, false, true})
	fmt.Println(n.Ne(2).Filled(false), n.Ne(2).Missing())
	// Output:
	// [ True False False] [False False  True]
}

func ExampleColumn_Lt() {
	n := frames.Masked([]int{1, 2, 0}, []bool{false, false, true})
	fmt.Println(n.Lt(2).Filled(false), n.Lt(2).Missing())
	// Output:
	// [ True False False] [False False  True]
}

func ExampleColumn_Le() {
	n := frames.Masked([]int{1, 2, 0}, []bool{false, false, true})
	fmt.Println(n.Le(2).Filled(false), n.Le(2).Missing())
	// Output:
	// [ True  True False] [False False  True]
}

func ExampleColumn_Gt() {
	n := frames.Masked([]int{1, 2, 0}, []bool{false, false, true})
	fmt.Println(n.Gt(2).Filled(false), n.Gt(2).Missing())
	// Output:
	// [False False False] [False False  True]
}

func ExampleColumn_Ge() {
	n := frames.Masked([]int{1, 2, 0}, []bool{false, false, true})
	fmt.Println(n.Ge(2).Filled(false), n.Ge(2).Missing())
	// Output:
	// [False  True False] [False False  True]
}

func ExampleColumn_Or() {
	a := frames.Masked([]bool{true, false}, []bool{false, true})
	fmt.Println(a.Or([]bool{false, true}).Array())
	// Output:
	// [ True  True]
}

func ExampleColumn_Not() {
	fmt.Println(frames.NewColumn([]bool{true, false}).Not().Array())
	// Output:
	// [False  True]
}

func ExampleColumn_Unique() {
	fmt.Println(frames.NewColumn([]string{"b", "a", "b"}).Unique().Array())
	// Output:
	// ['b' 'a']
}

func ExampleColumn_Len() {
	fmt.Println(frames.Masked([]int{1, 2, 0}, []bool{false, false, true}).Len())
	// Output:
	// 3
}

func ExampleColumn_DType() {
	fmt.Println(frames.Masked([]int{1, 2, 0}, []bool{false, false, true}).DType())
	// Output:
	// int64
}

func ExampleColumn_Array() {
	fmt.Println(frames.Masked([]int{1, 2, 0}, []bool{false, false, true}).Array())
	// Output:
	// [ 1.  2. nan]
}

func ExampleColumn_Missing() {
	fmt.Println(frames.Masked([]int{1, 2, 0}, []bool{false, false, true}).Missing())
	// Output:
	// [False False  True]
}

func ExampleColumn_String() {
	fmt.Println(frames.NewColumn([]int{7}).String())
	// Output:
	// int64
	//     7
	// 1 row × 1 column
}

func ExampleColumn_MIMEBundle() {
	fmt.Println(len(frames.NewColumn([]int{7}).MIMEBundle().Data))
	// Output:
	// 2
}

func ExampleColumn_Year() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Year().Array())
	// Output:
	// [2026]
}

func ExampleColumn_Quarter() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Quarter().Array())
	// Output:
	// [4]
}

func ExampleColumn_Month() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Month().Array())
	// Output:
	// [11]
}

func ExampleColumn_Day() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Day().Array())
	// Output:
	// [26]
}

func ExampleColumn_DayOfYear() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).DayOfYear().Array())
	// Output:
	// [330]
}

func ExampleColumn_Hour() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Hour().Array())
	// Output:
	// [22]
}

func ExampleColumn_Minute() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Minute().Array())
	// Output:
	// [45]
}

func ExampleColumn_Second() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Second().Array())
	// Output:
	// [30]
}

func ExampleColumn_Date() {
	fmt.Println(frames.NewColumn(np.FromSlice([]string{"2026-11-26T22:45:30"}).AsType(np.DateTime(np.Second))).Date().Array())
	// Output:
	// ['2026-11-26']
}

func ExampleGroups_Sum() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Sum("x").Col("x"))
	// Output:
	// [4. 5.]
}

func ExampleGroups_Mean() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Mean("x").Col("x"))
	// Output:
	// [2. 5.]
}

func ExampleGroups_Median() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Median("x").Col("x"))
	// Output:
	// [2. 5.]
}

func ExampleGroups_Var() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Var("x").Col("x"))
	// Output:
	// [ 2. nan]
}

func ExampleGroups_Min() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Min("x").Col("x"))
	// Output:
	// [1. 5.]
}

func ExampleGroups_Max() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Max("x").Col("x"))
	// Output:
	// [3. 5.]
}

func ExampleGroups_First() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").First("x").Col("x"))
	// Output:
	// [1. 5.]
}

func ExampleGroups_Last() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Last("x").Col("x"))
	// Output:
	// [3. 5.]
}

func ExampleGroups_NUnique() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").NUnique("x").Col("x"))
	// Output:
	// [2 1]
}

func ExampleGroups_Std() {
	fmt.Printf("%.3f\n", frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Std("x").Col("x").Float64(0))
	// Output:
	// 1.414
}

func ExampleGroups_Count() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Count())
	// Output:
	// k  count
	// a      2
	// b      1
	// 2 rows × 2 columns
}

func ExampleGroups_Len() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").Len())
	// Output:
	// 2
}

func ExampleGroups_String() {
	fmt.Println(frames.New("k", []string{"a", "a", "b"}, "x", []float64{1, 3, 5}).GroupBy("k").String())
	// Output:
	// 2 groups of 3 rows by "k": use Sum, Mean, Count and their like, or Agg for several
}

func ExampleTable_String() {
	fmt.Println(frames.New("n", 7).String())
	// Output:
	// n
	// 7
	// 1 row × 1 column
}

func ExampleTable_MIMEBundle() {
	fmt.Println(len(cities().MIMEBundle().Data))
	// Output:
	// 2
}

func ExampleTable_Describe() {
	fmt.Println(frames.New("n", []int{1, 3}).Describe().Head(2))
	// Output:
	// statistic  n
	// count      2
	// mean       2
	// 2 rows × 2 columns
}

func ExampleTable_Len() {
	fmt.Println(cities().Len())
	// Output:
	// 4
}

func ExampleTable_Names() {
	fmt.Println(cities().Names())
	// Output:
	// [city country people]
}

func ExampleTable_Set() {
	t := cities()
	t.Set("thousands", t.Col("people").Div(1000))
	fmt.Println(t.Names())
	// Output:
	// [city country people thousands]
}

func ExampleTable_With() {
	t := cities()
	fmt.Println(t.With("year", 2026).Names(), t.Names())
	// Output:
	// [city country people year] [city country people]
}

func ExampleTable_Select() {
	fmt.Println(cities().Select("people", "city").Names())
	// Output:
	// [people city]
}

func ExampleTable_Drop() {
	fmt.Println(cities().Drop("people").Names())
	// Output:
	// [city country]
}

func ExampleTable_Rows() {
	fmt.Println(cities().Rows(1, -1).Col("city"))
	// Output:
	// ['Graz' 'Bern']
}

func ExampleTable_Head() {
	fmt.Println(cities().Head(1).Col("city"))
	// Output:
	// ['Ulm']
}

func ExampleTable_Tail() {
	fmt.Println(cities().Tail(1).Col("city"))
	// Output:
	// ['Linz']
}

func ExampleTable_Write() {
	path := filepath.Join(os.TempDir(), "frames_example.jsonl")
	defer os.Remove(path)
	fmt.Println(cities().Head(1).Write(path))
	text, err := os.ReadFile(path)
	fmt.Print(string(text), err, "\n")
	// Output:
	// <nil>
	// {"city":"Ulm","country":"DE","people":126000}
	// <nil>
}

func ExampleTable_Strings() {
	t := frames.New("city", []string{"Ulm", "Graz"}, "people", []int{126_000, 292_000})
	fmt.Println(strings.Join(t.Strings("city"), ", "))
	// Output: Ulm, Graz
}

func ExampleColumn_Strings() {
	// an array of them would take 80 GB
	notes := frames.NewColumn(append(make([]string, 20_000), strings.Repeat("n", 1_000_000)))
	fmt.Println(np.NanMax(notes.Length().Array()), len(notes.Upper().Strings()[20_000]))
	// Output: 1000000.0 1000000
}
