package arrays

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/numpy.md")

// declared returns the exported names of a package: functions, constants, and methods: of Array as x.Name, of RNG as
// rng.Name.
func declared(t *testing.T, dir string) map[string]bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(dir, err)
	}
	out := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					out[d.Name.Name] = true
				} else if star, ok := d.Recv.List[0].Type.(*ast.StarExpr); ok {
					out[map[string]string{"Array": "x.", "RNG": "rng."}[fmt.Sprint(star.X)]+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						for _, id := range v.Names {
							out[id.Name] = true
						}
					}
				}
			}
		}
	}
	return out
}

// TestNumPyNames: every name of the table is in both packages, the table names every function of ours that has
// NumPy's, and docs/numpy.md is the table.
func TestNumPyNames(t *testing.T) {
	eager, lazy := declared(t, "."), declared(t, "../lazy")
	known := map[string]bool{}
	var page strings.Builder
	page.WriteString(`# The names of NumPy, and ours

Cells know the arrays as ` + "`np`" + `; ` + "`%doc numpy.argsort`" + ` finds a name of this page. Operators and indices are those of
[array expressions](array-expressions.md).

What is different on purpose stands [below](#what-is-different-on-purpose) the names.

<!-- below: written by go test ./arrays -run NumPyNames -update -->
`)
	for _, s := range numPyNames {
		fmt.Fprintf(&page, "\n## %s\n\n| NumPy | here |\n|---|---|\n", s.section)
		for _, n := range append(elementwiseNames(s.section), s.names...) {
			if !eager[n[1]] || !lazy[n[1]] {
				t.Errorf("numpy.%s is to be %s: in arrays %v, in lazy %v", n[0], n[1], eager[n[1]], lazy[n[1]])
			}
			known[n[1]] = true
			where := n[1]
			if !strings.Contains(where, ".") {
				where = "np." + where
			}
			fmt.Fprintf(&page, "| `%s` | `%s` |\n", n[0], where)
		}
	}
	page.WriteString(differences)
	for u := range Ufunc(NumUfuncs) {
		if ours, ok := FromNumPy("numpy." + u.String()); !ok && u.String() != "erf" && u.String() != "erfc" && u.String() != "gamma" && u.String() != "lgamma" {
			t.Errorf("the ufunc %v is not in the table (%q)", u, ours)
		}
	}
	const path = "../docs/numpy.md"
	if *update {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != page.String() {
		t.Errorf("%s is not the table: go test ./arrays -run NumPyNames -update writes it (%v)", path, err)
	}
	for name, want := range map[string]string{"np.ndarray.astype": "x.AsType", "numpy.random.normal": "rng.Normal", "random.random": "rng.Random", "random.rand": "rng.Random"} {
		if ours, ok := FromNumPy(name); !ok || ours != want {
			t.Errorf("%s is %s, want %s", name, ours, want)
		}
	}
}

// differences is what of NumPy's functions is other here, for the page.
const differences = `
<!-- below: written by hand, in arrays/numpynames_test.go -->

## What is different on purpose

- Go types choose the dtype: ` + "`[]int`" + ` is int64, ` + "`[]uint8`" + ` uint8, ` + "`[]string`" + ` text, ` + "`[]time.Time`" + ` datetime64[ns]; ` + "`x.AsType(np.Float16)`, `np.DateTime(np.Day)`, `np.Str(8)`" + ` convert. Texts are as wide as the longest, or of ` + "`np.StringDType`" + ` where that would waste memory: one long text among many costs no more than it has.
- Arrays are lazy: nothing is computed until a value is shown, printed or asked for. (A loop that shows nothing is the exception: every few thousand operations it computes what it has.) Errors of shapes and dtypes come at once.
- The order of arguments differs on purpose where sizes or axes come: sizes are last, so ` + "`np.full(3, 7)`" + ` is ` + "`np.Full(7, 3)`" + `, the value first and then the shape, and ` + "`np.full((2, 3), 7)`" + ` is
  ` + "`np.Full(7, 2, 3)`" + `; ` + "`np.Concat`" + ` and ` + "`np.Stack`" + ` take the axis first, ` + "`np.Concat(0, a, b)`" + `; all others take it last, behind the arguments of NumPy's order.
- What would lose something is an error where it is assigned, on every path: ` + "`x[0] = 2i`" + ` and ` + "`x[:] = z`" + ` of complex ` + "`z`" + ` for floats, ` + "`u[0] = 300`" + `, ` + "`u[:] = []int{300}`" + ` and ` + "`u[mask] = x`" + ` of an int64
  array with a 300 for uint8, a NaN for ints, ` + "`day[0] = 5.5`" + ` for dates and spans; NumPy warns of some and is silent about others. ` + "`u[:] = x.AsType(np.Uint8)`" + ` takes the lower bits. As in NumPy, fractions
  are cut off, texts are cut to the width of the elements, and arithmetic on ints wraps, in ` + "`u[:] *= 200`" + ` too. ` + "`int(z[0])`" + ` of complex ` + "`z`" + ` is an error too, and so is that of a NaN or of a number beyond int64, which Python's int holds. ` + "`x[2] = y`" + ` takes a ` + "`y`" + ` of one element in any shape.
- ` + "`x += y`" + ` gives the variable x a new array, as Go's ` + "`x = x + y`" + `: other names of the old one, and who called with it, do not see it. ` + "`x[:] += y`" + ` writes into the elements, as NumPy's ` + "`x += y`" + `.
- ` + "`x & ~2` is `x &^ 2`" + `, in the dtype of ` + "`x`" + `, unsigned ones too; ` + "`~x` is `^x`, or `!m`" + ` of bools.
- Comparisons stand in parentheses beside ` + "`&`" + `, ` + "`|`" + ` and other comparisons: ` + "`1 < x < 3`" + `, ` + "`(x > 1) & x < 4`" + ` and ` + "`!x > 2`" + ` are errors with the spelling that works; NumPy answers another question.
- A number of Go is weak whatever its type: ` + "`u + uint16(300)`" + ` is computed in the dtype of ` + "`u`" + `, and an error where it does not fit. An array of one element is not.
- Texts compare, sort and join arrays; they have no ` + "`+`" + ` and ` + "`*`" + `. ` + "`np.isnat`" + ` is ` + "`np.IsNaN`" + `.
- ` + "`np.diff(x, n=2)`" + ` is ` + "`np.Diff(np.Diff(x))`" + `, and ` + "`np.roll(x, (1, 2), (0, 1))`" + ` is ` + "`np.Roll(np.Roll(x, 1, 0), 2, 1)`" + `.
- An axis is an int or ` + "`np.Axis(0)`" + `, everywhere: ` + "`np.Sum(x, 0, np.KeepDims())`" + `, ` + "`np.Sort(x, np.Axis(0))`" + `, ` + "`np.Average(x, nil, 0)`" + `, ` + "`np.Gradient(x, 1, np.Axis(0))`" + `. Several are ` + "`np.Axis(0, 1)`" + `,
  ` + "`[]int{0, 1}`" + ` or one after the other. ` + "`x.MoveAxis(0, 2)`" + `, ` + "`x.SwapAxes(0, 1)`" + ` and ` + "`np.Rot90(x, 1, 0, 1)`" + ` take ints alone.
- ` + "`np.Meshgrid`" + ` is indexed "ij".
- ` + "`np.Reciprocal`" + ` of ints is a float. ` + "`np.Real`, `np.Imag`" + ` are copies: ` + "`z.Real()[0] = 1`" + ` is an error.
- A date or span that another unit cannot hold is an error where it is converted, also beside one of that unit, as 9999-12-31 beside nanoseconds; NumPy wraps.
- A 0-d array has no axis to go along. What prints a warning in NumPy prints none.
- A row of a product has the same bits alone and among others, on the CPU and on every GPU: the order of a sum follows from how many terms it has, and from whether the
  right side has one column or several. NumPy's rows may differ.
- Running sums and products of floats (` + "`np.CumSum`, `np.CumProd`" + `) add in tiles, so that they have the same bits on the CPU and on every GPU: their last bits may differ
  from NumPy's, whose order package ` + "`arrays`" + ` has.
- Tables (` + "`np.LoadTable`, `np.LoadColumns`, `frames.Read`" + `) are read as pandas.read_csv does, but: a first row that holds data is recognised by the types of the columns
  (` + "`np.Header`" + ` says it); where commas do not cut the first rows into as many cells each, and tabs, semicolons or bars do, these separate cells, much as with ` + "`sep=None`" + ` (` + "`np.Delimiter`" + ` says it); dates of ISO 8601 are datetime64; blanks around a cell without quotes do not count; in quotes a word for a missing value is text in a column of
  text; NaT is such a word; missing text is empty, bools with missing ones are text; whole numbers that float64 would round, beside missing ones or beyond 64 bits, are
  text, not rounded (` + "`frames.Read`" + ` leaves bools and whole numbers with missing ones what they are, as pandas' nullable dtypes); rows that are shorter or longer than the header are an error without ` + "`np.Ragged`" + `
  (where all have one cell more pandas takes the first for row names), and so are two columns of one name; text that is not UTF-8 is Windows-1252, not an error.
  Truths are True, TRUE, true and their kin, no other spelling; NAN in whatever case is NaN in a column of numbers; a number of Missing with blanks around it is missing among whole numbers too; whole numbers beyond 64 bits beside fractions are float64;
  groups of ` + "`np.Thousands`" + ` have three digits (or two, as in India), others are text. The columns of a header
  alone are float64, where pandas' are objects; an empty name in the header stays empty; characters of value 0 at the end of a text are lost, as in NumPy's fixed texts.
- The length of a Fourier transform is ` + "`np.Length(n)`, its norm `np.Scaled(\"ortho\")`" + `; eigenvalues of ` + "`np.Eig`" + ` are always complex.
- A NaN or infinity is in all bins of a transform, as NumPy has it; where NumPy's bin has a NaN or an infinity in one component, both may be NaN.
- ` + "`np.EigH`" + ` of a NaN is an error; ` + "`np.Vander`" + ` of ints is float64; ` + "`np.Digitize`" + ` does not look whether its edges are in order;
  the view that ` + "`x.Diagonal()`" + ` gives can be written to, and is of the last two axes; ` + "`np.Quantile(x, 0)`" + ` of ints is float64, as at 0.0 in NumPy.
- ` + "`np.Sinc`" + ` of whole numbers is 0; ` + "`np.Spacing`" + ` of a negative float16 is negative, as that of other floats; the edges of ` + "`np.Histogram`" + ` are float64; ` + "`np.Average`" + ` is NaN or infinite where weights add up to 0; quantiles of bools are those of 0 and 1,
  of small ints and of infinities they do not overflow; ` + "`np.Unwrap`" + ` of unsigned ints takes steps with their signs; text and numbers have no dtype in common.
- Options of ` + "`np.Quantile`, `np.Median`" + ` and their kin are axes, as ints or ` + "`np.Axis(0, 1)`, `np.KeepDims()`" + `, a method such as ` + "`np.QuantileHazen` or `np.QuantileMethod(\"hazen\")`" + `, and ` + "`np.Weights(w)`" + `.
  Weights go with several axes, and with ` + "`np.NanQuantile`" + ` too, where NumPy takes those of other elements. Where a dtype does not count so far (float16 to 2048, float32 to 2^24), places are computed in float64.
- ` + "`np.Partition`" + ` leaves the elements before place k, and those behind it, in the order of x, but sorts lines of up to 32; it takes an ` + "`[]int`" + ` of places.
- ` + "`np.Histogram`" + ` takes edges in place of the number of bins, ` + "`np.Limits(0, 1)`, `np.Weights(w)` and `np.Density()`; `np.BinCount`" + ` weights and ` + "`np.MinLength(5)`" + `; ` + "`np.Gradient` and `np.Trapezoid`" + ` take coordinates in place of
  the distance; ` + "`np.Gradient`" + ` goes along one axis, the last, and ` + "`np.Gradients`" + ` along several, as ` + "`np.Gradients(x, []any{2, at}, 0, 1)`" + `: both know ` + "`np.EdgeOrder(2)`; `np.Cov` and `np.CorrCoef`" + ` take more
  variables, ` + "`np.Cov(x, y, np.DDof(0))`" + `, aweights as ` + "`np.Weights(w)` and fweights as `np.Frequencies(f)`" + `.
- Rules for bins are ` + "`np.Histogram(x, \"auto\")`" + `, with the names of NumPy; of two numbers of bins that "stone" finds equally good it takes the fewer, where NumPy leaves that to rounding.
- ` + "`np.Interp(x, xp, fp, np.Left(0), np.Right(1))`, `np.Period(360)`; `np.Digitize(x, edges, np.Right(true))`; `np.SearchSorted(x, v, np.Sorter(x.ArgSort()))`" + `, ` + "`np.SearchSortedRight`" + ` for side="right".
- ` + "`np.Unique(x, 0)`" + ` is of the parts along an axis; so are ` + "`np.UniqueCounts`, `np.UniqueInverse` and `np.UniqueAll`" + `. Parts with a NaN are last in their place, of float16 too.
- ` + "`np.Interp`" + ` of a NaN is NaN, with one point too; points that a period brings to one place stay in their order, where NumPy leaves it open.
- ` + "`" + `np.repeat(x, [2, 0, 1])` + "`" + ` is ` + "`" + `np.Repeat(x, []int{2, 0, 1})` + "`" + `. Of a ` + "`" + `.npz` + "`" + ` with Python's objects ` + "`" + `np.LoadZ("f.npz", "a", "b")` + "`" + ` reads the others by name;
  structured arrays in ` + "`" + `.npy` + "`" + ` are tables: ` + "`" + `np.LoadColumns` + "`" + `, ` + "`" + `np.LoadTable` + "`" + ` and ` + "`" + `frames.Read` + "`" + ` give their fields as columns. Records in JSON are tables too.
- Parameters of random numbers that are NaN are an error; ` + "`np.PolyMul`" + ` keeps leading zeros; ` + "`np.PolyVal`" + ` takes floats, ` + "`[]float64`" + `, and gives them.
- ` + "`np.Trace(x, -2, -1)`" + ` is ` + "`linalg.trace`" + `: without axes it goes along the first two.
- Products of floats are sums of fused multiply-adds, of the same bits on every machine and device: what NumPy's library gives depends on both.
- ` + "`np.pad(x, ((1, 0), (2, 2)), \"reflect\")`" + ` is ` + "`np.Pad(x, []int{1, 2}, []int{0, 2}, np.PadReflect)`" + `; in place of the mode stands a border's value.
  Its modes with parameters are ` + "`np.PadValues(0, 9)`, `np.PadRamp(0, 9)`, `np.PadWithin(np.PadMean, 3)` and `np.PadOdd(np.PadReflect)`" + `; ramps are computed in float64.
- What NumPy returns as a tuple of indices are several results, that go into ` + "`x.At(np.TrilIndices(3))`" + ` as they are, or a slice: ` + "`x.At(np.Ix(rows, columns)...)`" + `.
- ` + "`np.add(x, y, out=z)` is `np.Into(z).Add(x, y)`" + `, and so for all elementwise functions and those that join, pick, multiply and sum: ` + "`np.Into(z).Sum(m, np.Axis(0))`" + `.
  The dtypes are those without ` + "`out`" + `, also of sums, where NumPy adds in the dtype of ` + "`out`" + `; what is converted at the end is of the same kind or a higher one.
  Only elementwise results are stretched to the shape of z, where NumPy stretches stacks of products of matrices too: ` + "`z.Set(np.MatMul(x, y))`" + ` does it.
- ` + "`np.Roots`" + ` is always complex; ` + "`np.HSplit`, `np.VSplit` and `np.DSplit`" + ` take a number of parts or ` + "`[]int`" + ` of places; ` + "`np.Histogram2D`" + ` takes its bins as ` + "`[]int{20, 30}`" + `.
- Random numbers are NumPy's for the same seed: ` + "`rng := np.DefaultRNG(42); rng.Normal(0, 1, 3, 4)`" + `. What NumPy's ` + "`choice`" + ` draws with weights is ` + "`rng.WeightedChoice(x, p, 5)`" + `,
  without putting back ` + "`rng.Sample(x, 5)` and `rng.WeightedSample(x, p, 5)`; `rng.MultivariateNormal`" + ` is NumPy's with method="cholesky".
`
