package arrays_test

import (
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleColumns() {
	file := strings.NewReader("day,kind,height\n1,oak,21.5\n2,ash,30\n")
	fmt.Println(np.Must(np.ReadCSV(file, np.Columns("height", "day")))) // in this order; text may stand elsewhere
	// Output:
	// [[21.5  1. ]
	//  [30.   2. ]]
}

func ExampleDelimiter() {
	fmt.Println(np.Must(np.ReadCSV(strings.NewReader("1;2\n3;4\n"), np.Delimiter(';'))))
	fmt.Println(np.Must(np.ReadCSV(strings.NewReader("1   2\n30 40\n"), np.Delimiter(' ')))) // runs of spaces are one
	// Output:
	// [[1. 2.]
	//  [3. 4.]]
	// [[ 1.  2.]
	//  [30. 40.]]
}

// Names that are numbers do not look like names: Header says what they are.
func ExampleHeader() {
	file := strings.NewReader("2024,2025\n10,20\n30,40\n")
	fmt.Println(np.Must(np.ReadCSV(file, np.Header(true), np.Columns("2025"))))
	// Output:
	// [[20.]
	//  [40.]]
}

func ExampleLoad() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.npy")
	if err := np.Save(path, [][]uint8{{1, 2}, {3, 4}}); err != nil {
		log.Fatal(err)
	}
	x, err := np.Load(path)
	fmt.Println(x, x.DType(), err)
	// Output:
	// [[1 2]
	//  [3 4]] uint8 <nil>
}

func ExampleLoadArrow() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trees.arrow")
	kinds, heights := np.FromSlice([]string{"oak", "ash"}), np.FromSlice([]float64{21.5, 30})
	if err := np.SaveArrow(path, []string{"kind", "height"}, []*np.Array{kinds, heights}); err != nil {
		log.Fatal(err)
	}
	names, columns, err := np.LoadArrow(path, "height") // all columns when none are named
	fmt.Println(names, columns, err)
	// Output: [height] [[21.5 30. ]] <nil>
}

func ExampleLoadColumns() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trees.csv")
	if err := os.WriteFile(path, []byte("kind,planted,height\noak,1999-10-31,21\nash,2004-03-01,\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	trees, err := np.LoadColumns(path) // each column has its own dtype
	fmt.Println(trees["kind"], trees["planted"].DType(), trees["height"], err)
	// Output: ['oak' 'ash'] datetime64[D] [21. nan] <nil>
}

func ExampleLoadTable() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trees.csv")
	if err := os.WriteFile(path, []byte("kind,height,felled\noak,21,False\nash,30,True\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	names, columns, err := np.LoadTable(path) // in the order of the file, which LoadColumns does not keep
	fmt.Println(names, columns, err)
	// Output: [kind height felled] [['oak' 'ash'] [21 30] [False  True]] <nil>
}

func ExampleLoadZ() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.npz")
	if err := np.SaveZ(path, map[string]any{"x": []int{1, 2, 3}, "loss": 0.25}); err != nil {
		log.Fatal(err)
	}
	run, err := np.LoadZ(path)
	fmt.Println(run["x"], run["loss"], err)
	// Output: [1 2 3] 0.25 <nil>
}

func ExampleMapArrow() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "long.arrow")
	if err := np.SaveArrow(path, []string{"i"}, []*np.Array{np.Arange(100000)}); err != nil {
		log.Fatal(err)
	}
	_, columns, err := np.MapArrow(path) // only what is touched is read
	fmt.Println(columns[0].At(-1), err)
	// Output: 99999 <nil>
}

func ExampleSaveCSV() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "heights.csv")
	if err := np.SaveCSV(path, [][]float64{{1, 21.5}, {2, 30}}, np.Columns("day", "height")); err != nil {
		log.Fatal(err)
	}
	columns, err := np.LoadColumns(path)
	fmt.Println(columns["height"], err)
	// Output:
	// [21.5 30. ] <nil>
}

func ExampleWriteCSV() {
	if err := np.WriteCSV(os.Stdout, [][]float64{{0.1, 2}, {1e30, math.NaN()}}, np.Delimiter(';')); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0.1;2.0
	// 1e+30;
}
