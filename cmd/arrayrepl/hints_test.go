package main

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// NumPy's names are those of docs/numpy.md, which a test of package arrays looks up; the others' names are looked up
// below.
func TestErrorsKnowOtherLanguages(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays(), Hint: hint})
	require.NoError(t, err)
	defer s.Close()
	for cell, want := range map[string]string{
		"np.multiply(1, 2)":                    "undefined: np.multiply; NumPy's multiply is np.Mul here\n",
		"np.Concatenate(1)":                    "NumPy's concatenate is np.Concat here\n",
		"np.linalg.inv(3)":                     "undefined: np.linalg; NumPy's linalg.inv is np.Inv here\n",
		"np.ones(3).astype(1)":                 "undefined: np.ones (but have Ones)\n",
		"x := np.Ones(3)\nx.tolist()":          "NumPy's tolist is the method Float64s here\n",
		"2 * np.pi":                            "NumPy's pi is math.Pi in Go\n",
		"np.random.normal(0, 1)":               "NumPy's random.normal is rng.Normal (rng := np.DefaultRNG(1)) here\n",
		"np.fft.rfft(np.Ones(4)).shape":        "NumPy's fft.rfft is np.RFFT here\n",
		"np.Nothing(1)":                        "undefined: np.Nothing\n",
		"strings.multiply(1)":                  "undefined: strings.multiply\n",
		"var b strings.Builder; b.multiply":    "undefined (type strings.Builder has no field or method multiply)\n",
		"import numpy as np":                   "import path must be a string; np, viz, gpu and Go's packages need no import",
		"import matplotlib.pyplot as plt":      "missing import path; np, viz",
		"from numpy import sin":                "found numpy; np, viz, gpu and Go's packages need no import",
		"def f(x): return x":                   "found f; a function is func f(",
		"f := lambda x: x+1":                   "a function without a name is func(",
		"for i in range(3):":                   "a loop is for i := range 10",
		"while x < 3:":                         "a loop is for x < 10",
		"if x > 3:":                            "illegal label declaration; a condition is if x < 10 {",
		"if true and false { }":                "and is &&",
		"if not true { }":                      "not is !",
		"y := ~np.Ones(2)":                     "bits are inverted by ^x",
		"~np.Ones(2)":                          "bits are inverted by ^x",
		"y := 1 if true else 2":                "one for each element is np.Where(",
		"x @ y":                                "a matrix product is x.MatMul(y)\n",
		"# a":                                  "a comment begins with //\n",
		"2 ** 3":                               "cannot indirect 3 (untyped int constant); a power is math.Pow(x, 2)",
		"np.Zeros((3, 4))":                     "found ','; sizes stand without parentheses",
		"t := frames.Read(`a`)":                "in single-value context; an error comes with it: x, err := …, or np.Must(…)",
		"var t = 3; t = strconv.Atoi(`3`)":     "returns 2 values; where the second is an error: x, err := …, or np.Must(…)",
		"math.Sqrt(strconv.Atoi(`3`))":         "want (x float64); np.Must(…) takes the error away",
		"f := np.Must":                         "cannot use generic function np.Must without instantiation\n",
		"np.Zeros([]int{3, 4})":                "in argument to np.Zeros; three dots behind a slice",
		"np.Roll(1, []int{1, 2})":              "in argument to np.Roll; it moves by one number of places",
		"np.Zeros(3, np.Int64)":                "in argument to np.Zeros; zeros of a dtype are np.New(np.Int64, 2, 3)",
		"x := np.Eye(2); np.Dot(x, x.T)":       "; a method is called with parentheses",
		"y := [1, 2, 3]":                       "expecting ]; a list is []float64{1, 2, 3}",
		"s := 'abc'":                           `illegal rune literal; text stands in "double quotes"`,
		"print(f\"x is {x}\")":                 "missing ',' in argument list; a text with values is fmt.Sprintf",
		"np.Sum(x, axis=0)":                    "Go has no named arguments; options are values",
		"np.Sum((x), axis=0)":                  "Go has no named arguments; options are values",
		"np.Sum(np.Abs(x)[0:2], axis = 0)":     "Go has no named arguments; options are values",
		"np.Sum(axis=0)":                       "Go has no named arguments; options are values",
		"plt.plot(1)":                          "undefined: plt; charts are viz.Line",
		"viz.Divergence()":                     "undefined: viz.Divergence; what divergence does is drawn by viz.Reconvergence()",
		"var rep *gpu.Report; viz.Stalls(rep)": "as *trace.Log value in argument to viz.Stalls; a launch's record, for charts of it, is its method Log",
		"viz.imshow(1)":                        "undefined: viz.imshow; a matrix as colours is viz.HeatMap",
		"pd.read_csv(1)":                       "undefined: pd; tables are in package frames",
		"assert.Equal(t, 1, 2)":                "undefined: assert; import \"github.com/stretchr/testify/assert\" has it",
		"p := plot.New()":                      "undefined: plot; import \"gonum.org/v1/plot\" has it",
		"torch.ones(1)":                        "undefined: torch; arrays run on the GPU",
		"x := True":                            "undefined: True; Go writes true",
		"q = 3":                                "undefined: q; a new variable is declared by q := …\n",
		"é := 1; q = 3":                        "undefined: q; a new variable is declared by q := …\n",
		"q == 3":                               "undefined: q\n",
		"linalg.inv(np.Eye(3))":                "undefined: linalg; NumPy's linalg.inv is np.Inv here\n",
		"gpu.ThreadIdx.X":                      "undefined: gpu.ThreadIdx; CUDA's ThreadIdx is gpu.ThreadX(), ThreadY()",
		"__syncthreads()":                      "undefined: __syncthreads; CUDA's __syncthreads is gpu.Sync() here\n",
		"cuda.grid(1)":                         "undefined: cuda; the thread's place in the grid is gpu.GlobalID() here\n",
		"gpu.Nothing()":                        "undefined: gpu.Nothing\n",
		"np.Array([]int{1})":                   "to type np.Array; arrays are made by np.FromSlice here\n",
		"np.array([]int{1})":                   "undefined: np.array (but have Array); NumPy's array is np.FromSlice here\n",
		"math.Sqrt(np.Ones(2)[0])":             "cannot use np.Ones(2)[0] (value of type *np.Array) as float64 value in argument to math.Sqrt; the number of an array",
		"var n int = np.Ones(2).Sum()":         "the number of an array with one element is x.Int()\n",
		"np.Where(np.Ones(2) > 1)":             "want (cond np.ArrayLike, x np.ArrayLike, y np.ArrayLike); the places of what is true are np.NonZero(x > 3)",
		"np.Float32(3)":                        "np.DType is not a function; a dtype converts arrays",
		"x, y := np.Meshgrid(1, 2)":            "it is a slice of arrays",
		"np.All(np.Ones(2) > 1)":               "the method is (x > 3).All()\n",
		"np.Ones(2).AsType(\"float64\")":       "a dtype is np.Float64",
		"np.Ones(2).AsType(float64)":           "a dtype is np.Float64",
		"max(np.Ones(2))":                      "of an array it is x.Max()",
		"type(3)":                              "the type of a value",
		"str(3)":                               "the text of a value",
		"range(3)":                             "a loop is for i := range 10",
		"[x*2 for x in y]":                     "Go has no comprehensions",
		"np.TryInv(np.Eye(2))":                 "undefined: np.TryInv; np computes when a value is needed",
		"l := []*np.Array{}; np.VStack(l...)":  "a list of arrays is passed as it is",
		"np.Ones(2).T * 2":                     "a method is called with parentheses",
		"np.Ones(2).Shape[0]":                  "a method is called with parentheses",
		"np.Ones(2).T.shape":                   "a method is called with parentheses",
		"viz.Line(np.Ones(2))":                 "want (x any, y any, opts ...viz.Option); x comes first",
		"viz.Hist(np.Ones(2))":                 "want (x any, bins int, opts ...viz.Option)\n",
		"x := 1; x is None":                    "Go compares by x == nil",
		"try {\n}":                             "errors are values",
		"var t *frames.Table; t[\"a\"]":        "a column is t.Col(",
		"var t *frames.Table; t.age":           "a column is t.Col(\"age\")\n",
		"var t *frames.Table; t.shape":         "pandas' shape is t.Len()",
		"var t *frames.Table; t.SortValues":    "pandas' SortValues is t.Sort(",
		"var t *frames.Table; t.len":           "but does have method Len)\n",
		"var t *frames.Table; len(t)":          "the number of rows is t.Len()\n",
		"var t *frames.Table; t.Head()":        "want (n int); it takes the number of rows",

		"import `github.com/arrayrepl/arrayrepl/frames`": `did you mean "github.com/arrayrepl/arrayrepl/lazy/frames"?`,
	} {
		_, err := s.Run(context.Background(), 1, cell)
		if err == nil || !strings.Contains(err.Error()+"\n", want) {
			t.Errorf("%s\n%v\nwant %s", cell, err, want)
		}
	}
}

// A stream is no slice, and a gather none.
func TestErrorsKnowStreams(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays(), Hint: hint})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Run(context.Background(), 1, "type Ray struct{ O, D brook.F3; TMax float32 }\nrays := brook.New[Ray](4)")
	require.NoError(t, err)
	const slice, member = "the elements as a Go slice are brook.Slice[T](s)", `the array of a member is s.Field("X"), of a stream of numbers s.Field("")`
	for cell, want := range map[string]string{
		"rays[0]":                          slice,
		"rays[1:3]":                        slice,
		"rays[0, 1]":                       slice,
		"rays[0] = Ray{}":                  slice,
		"[]Ray(rays)":                      slice,
		"rays.At(0)":                       slice,
		"for _, r := range rays { _ = r }": "brook.Map(f, s) calls f for each element",
		"len(rays)":                        "the number of elements is s.Len()",
		"append(rays, Ray{})":              "append to a slice, and make a stream of it by brook.Of(list)",
		"copy(rays, []Ray{{}})":            "brook.Read(s, list)",
		"rays + rays":                      "brook.Map(f, s) computes with elements",
		"2 * rays":                         "brook.Map(f, s) computes with elements",
		"np.Sum(rays)":                     member,
		"max(rays)":                        "a reduction is brook.Reduce(f, s)",
		"rays.Sum()":                       "a reduction is brook.Reduce(f, s)",
		"rays.O":                           `s.Member("O") as a stream`,
		"brook.Image(rays)":                "a stream as a picture is s.Image(), an array as one is viz.Image(x)",
		"rays.shape":                       "but does have method Shape)\n",
		"func f(i int, g brook.Gather[int]) int { return g[i] }":                              "an element is g.At(i)",
		"func f(i int, g brook.Gather[int]) int { g[i] = 3; return 1 }":                       "a gather is read only",
		"func f(i int, g brook.Gather[int]) int { return len(g) }":                            "the number of elements is g.Len()",
		"func f(i int, g brook.Gather[int]) int { for _, v := range g { i += v }\nreturn i }": "a loop is for i := range g.Len()",
	} {
		_, err := s.Run(context.Background(), 2, cell)
		require.Error(t, err, cell)
		require.Contains(t, err.Error()+"\n", want, cell)
		require.Contains(t, err.Error(), "cell 2, line 1", cell)
	}
}

// What a hint says to write exists.
func TestHintsNameWhatExists(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays()})
	require.NoError(t, err)
	defer s.Close()
	texts := slices.Concat(slices.Collect(maps.Values(cudaNames)), slices.Collect(maps.Values(pandasNames)))
	for _, f := range slices.Concat(python, streams) {
		texts = append(texts, f.instead)
	}
	if _, err := s.Run(context.Background(), 1, "var t *frames.Table; var x *np.Array; var s *brook.Stream; var g brook.Gather[int]"); err != nil {
		t.Fatal(err)
	}
	for name, path := range dataPackages {
		if _, err := s.Run(context.Background(), 2, fmt.Sprintf("import %s %q; var _ = %s.%s", name, path, name, map[string]string{
			"assert": "Equal", "require": "Equal", "plot": "New", "plotter": "NewLine", "plotutil": "Color", "vg": "Points", "distuv": "UnitNormal",
			"optimize": "Minimize", "integrate": "Trapezoidal", "charts": "NewLine", "opts": "Bool", "arrow": "NewSchema",
		}[name])); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	name := regexp.MustCompile(`\b(np|viz|gpu|frames|brook|math|fmt|slices|t|x|s|g)\.[A-Z]\w*`)
	for _, text := range texts {
		for _, n := range name.FindAllString(text, -1) {
			if _, found := s.Describe(n, len(n), 0); !found {
				t.Errorf("%q: there is no %s", text, n)
			}
		}
	}
}
