package arrays_test

import (
	"bytes"
	"fmt"
	"log"
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
	// loadcsv: input: line 2, column 2: "x" is not a number; if the first row holds names, say so with Header(true); lines before the table can be left out with SkipLines(n)
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
	// savearrow: column "z": Arrow has no complex numbers; save Real(x) and Imag(x) as two columns
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
