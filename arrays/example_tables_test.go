package arrays_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleReadCSV() {
	table, err := np.ReadCSV(strings.NewReader("height;girth\n21.5;3.25\n30;\n"), np.Delimiter(';'))
	fmt.Println(table, err) // an empty cell is nan
	_, err = np.ReadCSV(strings.NewReader("1,2\n3,x\n"))
	fmt.Println(err)
	// Output:
	// [[21.5   3.25]
	//  [30.     nan]] <nil>
	// loadcsv: input: line 2, column 2: "x" is not a number; if the first row holds names, say so with Header(true); lines before the table can be left out with SkipLines(n), words for missing values named with Missing(words...)
}

func ExampleSkipLines() {
	const report = "Station 7, made in June\nand signed, twice\n1,2\n3,4\n"
	fmt.Println(np.Must(np.ReadCSV(strings.NewReader(report), np.SkipLines(2))))
	// Output:
	// [[1. 2.]
	//  [3. 4.]]
}

func ExampleSave() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.npy")
	err = np.Save(path, [][]float32{{1, 2}, {3, 4}})
	x := np.Must(np.Load(path))
	fmt.Println(x, x.DType(), err)
	// Output:
	// [[1. 2.]
	//  [3. 4.]] float32 <nil>
}

func ExampleSaveZ() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.npz")
	if err := np.SaveZ(path, map[string]any{"weights": np.Eye(2), "bias": []float64{0.5, 1}}); err != nil {
		log.Fatal(err)
	}
	model, err := np.LoadZ(path)
	fmt.Println(len(model), model["bias"], err)
	// Output: 2 [0.5 1. ] <nil>
}

func ExampleReadNPY() {
	var file bytes.Buffer
	fmt.Println(np.Arange(3).WriteNPY(&file), np.Eye(2).WriteNPY(&file)) // one behind the other
	first, second := np.Must(np.ReadNPY(&file)), np.Must(np.ReadNPY(&file))
	fmt.Println(first, second)
	// Output:
	// <nil> <nil>
	// [0 1 2] [[1. 0.]
	//  [0. 1.]]
}

func ExampleSaveArrow() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trees.arrow")
	columns := []*np.Array{np.FromSlice([]string{"oak", "ash"}), np.FromSlice([]float64{21.5, 30})}
	if err := np.SaveArrow(path, []string{"kind", "height"}, columns); err != nil {
		log.Fatal(err)
	}
	names, values, err := np.LoadArrow(path, "height") // that column alone
	fmt.Println(names, values[0], err)
	// Output: [height] [21.5 30. ] <nil>
}

func ExampleWriteArrow() {
	var stream bytes.Buffer
	columns := []*np.Array{np.FromSlice([]bool{true, false}), np.Arange(2)}
	if err := np.WriteArrow(&stream, []string{"done", "n"}, columns); err != nil {
		log.Fatal(err)
	}
	names, values, err := np.ReadArrow(&stream)
	fmt.Println(names, values, err)
	err = np.WriteArrow(&stream, []string{"z"}, []*np.Array{np.Ones(2).AsType(np.Complex128)})
	fmt.Println(err)
	// Output:
	// [done n] [[ True False] [0 1]] <nil>
	// savearrow: column "z": there are no complex numbers in Arrow; save Real(x) and Imag(x) as two columns
}

func ExampleReadArrow() {
	day := np.FromSlice([]string{"2024-02-28", "NaT"}).AsType(np.DateTime(np.Day))
	position := np.From2D([][]float64{{1, 2}, {3, 4}}) // a pair for each day
	var stream bytes.Buffer
	if err := np.WriteArrow(&stream, []string{"day", "position"}, []*np.Array{day, position}); err != nil {
		log.Fatal(err)
	}
	names, columns, err := np.ReadArrow(&stream)
	fmt.Println(names, columns[0].DType(), columns[0], columns[1].Shape(), err)
	// Output: [day position] datetime64[D] ['2024-02-28'        'NaT'] [2 2] <nil>
}

// exampleTable reads the columns of a text, and prints them.
func exampleTable(text string, opts ...np.CSVOption) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	names, columns, err := np.LoadTable(path, opts...)
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range names {
		fmt.Println(name, columns[i].DType(), columns[i])
	}
}

func ExampleSaveTable() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "t.csv")
	kinds, heights := np.FromSlice([]string{"oak", "#ash, old"}), np.FromSlice([]float64{21, math.NaN()})
	if err := np.SaveTable(path, []string{"kind", "2024"}, []*np.Array{kinds, heights}); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(path)
	fmt.Print(string(text), err)
	// Output:
	// kind,"2024"
	// oak,21.0
	// "#ash, old",
	// <nil>
}

func ExampleColumnType() {
	exampleTable("zip,n\n01234,1\n99999,2\n", np.ColumnType("zip", np.Str(0)), np.ColumnType("n", np.Float32))
	// Output:
	// zip <U5 ['01234' '99999']
	// n float32 [1. 2.]
}

func ExampleComment() {
	exampleTable("# measured in March\nx,y\n1,2 # by hand\n", np.Comment("#"))
	// Output:
	// x int64 [1]
	// y int64 [2]
}

func ExampleDateFormat() {
	exampleTable("day\n24.12.2024\n01.02.2025\n", np.DateFormat("02.01.2006"))
	// Output: day datetime64[D] ['2024-12-24' '2025-02-01']
}

func ExampleDecimalMark() {
	exampleTable("city;price\nUlm;1.234,50\n", np.Delimiter(';'), np.DecimalMark(','), np.Thousands('.'))
	// Output:
	// city <U3 ['Ulm']
	// price float64 [1234.5]
}

func ExampleThousands() {
	exampleTable("n\n\"1,234\"\n5\n", np.Thousands(','))
	// Output: n int64 [1234    5]
}

func ExampleEncoding() {
	exampleTable("city\nK\xf6ln\n", np.Encoding("latin1"))
	// Output: city <U4 ['Köln']
}

func ExampleMissing() {
	exampleTable("x\n1.5\n-999\nNA\n", np.Missing("-999"))
	// Output: x float64 [1.5 nan nan]
}

func ExampleOnlyMissing() {
	exampleTable("country,n\nNA,1\n?,2\n", np.OnlyMissing("?")) // NA is Namibia
	// Output:
	// country <U2 ['NA' '']
	// n int64 [1 2]
}

func ExampleMissingInto() {
	masks := map[string][]bool{}
	exampleTable("id,x\n9007199254740993,1\n,2\n", np.MissingInto(masks))
	fmt.Println(masks)
	// Output:
	// id int64 [9007199254740993                0]
	// x int64 [1 2]
	// map[id:[false true]]
}

func ExampleLoadTable_longTexts() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte("name,x\n"+strings.Repeat("n", 1_000_000)+",1\n"+strings.Repeat("ab,2\n", 20_000)), 0o600); err != nil {
		log.Fatal(err)
	}
	names, columns, err := np.LoadTable(path) // strings as wide as the longest would take 80 GB
	fmt.Println(names, columns[0].DType(), columns[1].DType(), err)
	texts := columns[0].Strings()
	fmt.Println(len(texts), len(texts[0]), texts[1])
	// Output:
	// [name x] StringDType() int64 <nil>
	// 20001 1000000 ab
}

func ExampleNames() {
	exampleTable("1,2\n3,4\n", np.Names("x", "y"))
	// Output:
	// x int64 [1 3]
	// y int64 [2 4]
}

func ExampleQuote() {
	exampleTable("what,n\n'a, b',1\n", np.Quote('\''))
	// Output:
	// what <U4 ['a, b']
	// n int64 [1]
}

func ExampleRagged() {
	exampleTable("x,y\n1\n2,3\n", np.Ragged(np.RaggedFilled))
	// Output:
	// x int64 [1 2]
	// y float64 [nan  3.]
}

func ExampleReport() {
	var how np.CSVReport
	exampleTable("name,2023,2024\nUlm,5,6\n", np.Report(&how))
	fmt.Println(how.Header, how.Encoding, how.Why)
	// Output:
	// name <U3 ['Ulm']
	// 2023 int64 [5]
	// 2024 int64 [6]
	// true utf-8 its numbers look like names, beside words: years, numbers in a row, or whole ones above others
}

func ExampleReadRecords() {
	names, columns, err := np.ReadRecords(strings.NewReader(`[{"city": "Ulm", "people": 126000}, {"city": "Bonn"}]`))
	fmt.Println(names, columns[0], columns[1], err)
	// Output: [city people] ['Ulm' 'Bonn'] [126000.     nan] <nil>
}

func ExampleWriteRecords() {
	var b strings.Builder
	err := np.WriteRecords(&b, []string{"day", "n"}, []*np.Array{np.FromSlice([]string{"2026-11-26", "NaT"}).AsType(np.DateTime(np.Day)), np.FromSlice([]int{1, 2})})
	fmt.Println(b.String(), err)
	// Output: [{"day":"2026-11-26","n":1},{"day":null,"n":2}] <nil>
}
