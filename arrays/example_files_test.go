package arrays_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"log"
	"os"
	"path/filepath"
	"strings"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleMapNPY() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "long.npy")
	if err := np.Save(path, np.Arange(1000000)); err != nil {
		log.Fatal(err)
	}
	x, err := np.MapNPY(path) // only what is touched is read
	fmt.Println(x.At(-1), err)
	// Output: 999999 <nil>
}

func ExampleArray_Close() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "long.npy")
	if err := np.Save(path, np.Arange(1000000)); err != nil {
		log.Fatal(err)
	}
	x, err := np.MapNPY(path)
	if err != nil {
		log.Fatal(err)
	}
	total := x.Sum()
	fmt.Println(x.Close(), total) // what was computed stays
	// Output: <nil> 499999500000
}

func ExampleWiring_ArrowFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "long.arrow")
	if err := np.SaveArrow(path, []string{"i"}, []*np.Array{np.Arange(1000)}); err != nil {
		log.Fatal(err)
	}
	of, parts, err := np.Wiring{}.ArrowFile(path, "i")
	fmt.Println(of.DType, of.Shape, of.Bytes, len(parts), err)
	// Output: int64 [1000] 8000 1 <nil>
}

func ExampleWiring_Basic() {
	fmt.Println(np.Wiring{}.Basic(np.OpMul))
	fmt.Println(np.Wiring{}.Basic(np.OpTanh))
	// Output:
	// mul and false
	// tanh  true
}

func ExampleWiring_NPYFile() {
	file := append(np.Wiring{}.NPYHeader(np.Int32, []int{2, 3}), make([]byte, 24)...)
	of, err := np.Wiring{}.NPYFile("x.npy", bytes.NewReader(file), int64(len(file)))
	fmt.Println(of.DType, of.Shape, of.At, of.Bytes, err)
	// Output: int32 [2 3] 128 24 <nil>
}

func ExampleWiring_NPYHeader() {
	head := np.Wiring{}.NPYHeader(np.Float64, []int{5})
	fmt.Printf("%q\n", strings.TrimRight(string(head[10:]), " \n"))
	// Output: "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }"
}

func ExampleWiring_RawFile() {
	of, err := np.Wiring{}.RawFile(np.Int32, []int{-1, 3}, 24)
	fmt.Println(of.DType, of.Shape, of.At, of.Bytes, err)
	// Output: int32 [2 3] 0 24 <nil>
}

func ExampleWiring_Runs() {
	rows := np.Zeros(3, 4).At(np.All, np.S(1, 3)).Layout()
	np.Wiring{}.Runs(rows, func(at, n int) error {
		fmt.Println(n, "elements from", at)
		return nil
	})
	// Output:
	// 2 elements from 1
	// 2 elements from 5
	// 2 elements from 9
}

func ExampleSaveImage() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "ramp.png")
	if err := np.SaveImage(path, np.Linspace(0, 1, 6).Reshape(2, 3)); err != nil {
		log.Fatal(err)
	}
	x, err := np.LoadImage(path)
	fmt.Println(x, x.DType(), err)
	// Output:
	// [[  0  51 102]
	//  [153 204 255]] uint8 <nil>
}

func ExampleLoadImage() {
	_, err := np.LoadImage("/no/such.png")
	fmt.Println(err)
	// Output: loadimage: /no/such.png: cannot be opened: no such file or directory (looked for in directory /no)
}

func ExampleReadImage() {
	f, err := os.Open("../docs/images/tour.png")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	x, err := np.ReadImage(f)
	fmt.Println(x.NDim(), x.DType(), err)
	// Output: 3 uint8 <nil>
}

func ExampleFromImage() {
	m := image.NewGray(image.Rect(0, 0, 3, 2)) // 3 wide, 2 high
	m.Pix[4] = 200
	fmt.Println(np.FromImage(m))
	// Output:
	// [[  0   0   0]
	//  [  0 200   0]]
}

func ExampleToImage() {
	m, err := np.ToImage([][]float64{{0, 0.5, 1}})
	fmt.Println(m.Bounds(), m.At(1, 0), err)
	// Output: (0,0)-(3,1) {128} <nil>
}

func ExampleArray_MarshalJSON() {
	text, err := json.Marshal(map[string]any{"x": np.Arange(4).Reshape(2, 2)})
	fmt.Println(string(text), err)
	// Output: {"x":[[0,1],[2,3]]} <nil>
}

func ExampleArray_UnmarshalJSON() {
	var v struct{ X *np.Array }
	err := json.Unmarshal([]byte(`{"x": [[0.5, null], [1, 2]]}`), &v)
	fmt.Println(v.X, err)
	// Output:
	// [[0.5 nan]
	//  [1.  2. ]] <nil>
}

func ExampleSaveJSON() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.json")
	if err := np.SaveJSON(path, []float64{1, 2.5}); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(path)
	fmt.Print(string(text), err)
	// Output:
	// [1.0,2.5]
	// <nil>
}

func ExampleLoadJSON() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.json")
	if err := os.WriteFile(path, []byte("[[1, 2], [3]]"), 0o644); err != nil {
		log.Fatal(err)
	}
	_, err = np.LoadJSON(path)
	fmt.Println(err.Error()[len("loadjson: "+path):])
	// Output: : the list at [1] has 1 elements and one before it 2: nested lists must have one shape
}
