package main

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// hint tells who writes a cell as in NumPy, Python or CUDA C how Go and this program have it; "" when message is of
// another kind. It gets the line at fault and the byte in it where.
func hint(message, line string, at int) string {
	for _, of := range []func(message, line string, at int) string{numPyHint, pandasHint, pythonHint, cudaHint, importHint} {
		if h := of(message, line, at); h != "" {
			return h
		}
	}
	return ""
}

// numPyConstants are names of NumPy that Go has elsewhere.
var numPyConstants = map[string]string{"pi": "math.Pi", "e": "math.E", "inf": "math.Inf(1)", "nan": "math.NaN()", "euler_gamma": "0.5772156649015329"}

var (
	unknownName = lazyregexp.New(`^undefined: (?:np|arrays)\.\w+( \(but have (\w+)\))?$| undefined \(type \*?(?:np|arrays)\.Array has no field or method \w+()\)$`)
	subPackage  = lazyregexp.New(`^undefined: (?:linalg|fft|random)$`)
	toArray     = lazyregexp.New(`^cannot convert .* to type np\.Array$`)
	dotted      = lazyregexp.New(`^[\pL_][\pL\d_]*(\.[\pL_][\pL\d_]*)*`)
)

// numPyHint knows NumPy's names, with a capital or without.
func numPyHint(message, line string, at int) string {
	if toArray.MatchString(message) {
		return "arrays are made by np.FromSlice here"
	}
	m := unknownName.FindStringSubmatch(message)
	if m == nil && !subPackage.MatchString(message) {
		return ""
	}
	name := strings.ToLower(dotted.FindString(line[at:]))
	if m != nil && m[1] != "" && !strings.Contains(name, ".") {
		if ours, ok := arrays.FromNumPy(name); !ok || ours == m[2] {
			return "" // the checker has proposed it
		}
	}
	for n := name; n != ""; n = n[:max(strings.LastIndexByte(n, '.'), 0)] { // of linalg.inv.shape, linalg.inv
		if c := numPyConstants[n]; c != "" {
			return fmt.Sprintf("NumPy's %s is %s in Go", n, c)
		}
		if ours, ok := arrays.FromNumPy(n); ok {
			return fmt.Sprintf("NumPy's %s is %s here", n, calledHere(ours))
		}
	}
	if strings.HasPrefix(name, "random") {
		return "random numbers come from a generator here: rng := np.DefaultRNG(1)"
	}
	return ""
}

// foreign is a way to write something in another language that Go has otherwise. Each pattern that is given must
// match.
type foreign struct {
	message *lazyregexp.Regexp
	line    *lazyregexp.Regexp // the line up to what the message points at, a bar |, and the rest
	instead string
}

func of(message, line, instead string) foreign {
	return foreign{lazyregexp.New(message), lazyregexp.New(line), instead}
}

// python has what people write who know Python. The first that matches is taken.
var python = []foreign{
	of(`^(import path must be a string|missing import path)`, ``, "np, viz, gpu and Go's packages need no import; others are import \"path\""),
	of(``, `^\s*(from \|?|\|from )[\w.]+ import `, "np, viz, gpu and Go's packages need no import; others are import \"path\""),
	of(``, `^\s*def \|?\w+\(`, "a function is func f(x float64) float64 { return 2 * x }"),
	of(``, `\blambda\b`, "a function without a name is func(x float64) float64 { return 2 * x }"),
	of(`^(expected|unexpected|undefined)`, `^\s*\|?for [^{]* \|?in `, "a loop is for i := range 10 { … }, or for i, v := range values { … }"),
	of(`^(expected|unexpected|undefined)`, `^\s*\|?while\b`, "a loop is for x < 10 { … }"),
	of(`^(expected|unexpected|undefined|illegal label)`, `^\s*\|?(if|elif|else)\b[^{]*:\s*\|?$`, "a condition is if x < 10 { … } else if x < 20 { … } else { … }"),
	of(`^(expected|unexpected|undefined)`, `(?:^|\s)(and \|?|\|and |or \|?|\|or )\w`, "and is &&, or is ||, not is !"),
	of(`^(expected|unexpected|undefined)`, `\bnot\|? \|?\w`, "and is &&, or is ||, not is !"),
	of(`^(cannot use ~ outside|expected statement, found '~')`, ``, "bits are inverted by ^x, truths by !x; x & ~2 is x &^ 2"),
	of(`^expected`, `\|if .* else `, "a choice is a statement, if x < 10 { … } else { … }; one for each element is np.Where(x < 10, x, y)"),
	of(`U\+0040 '@'`, ``, "a matrix product is x.MatMul(y)"),
	of(`U\+0023 '#'`, ``, "a comment begins with //"),
	of(`cannot indirect`, `\*\*\s*\|`, "a power is math.Pow(x, 2), of an array x.Pow(2)"),
	of(`^(expected|unexpected)`, `\w\(\([^()|]*\|,`, "sizes stand without parentheses of their own: np.Zeros(3, 4)"),
	of(`^(expected|unexpected).*comma`, `\[[^]|]*\|,`, "a list is []float64{1, 2, 3}, an array of it np.FromSlice([]float64{1, 2, 3})"),
	of(`^(illegal rune literal|more than one character in rune literal)`, ``, `text stands in "double quotes"`),
	of(`^(missing ','|expected ';')`, `\bf\|["']`, `a text with values is fmt.Sprintf("x is %v", x)`),
	of(`^(expected '=='|missing ','|expected '\)')`, `\((?:.*[(,])?\s*[a-z_]\w*\s*\|=`, "Go has no named arguments; options are values: np.Sum(x, np.Axis(0))"),
	of(`type \[\]int\) as int value in argument to np\.Roll$`, ``, "it moves by one number of places; others for each axis take a call for each: np.Roll(np.Roll(x, 1, np.Axis(0)), 2, np.Axis(1))"),
	of(`type \[\]int\) as int value in argument`, ``, "three dots behind a slice pass its elements: sizes..."),
	of(`type np\.DType\) as int value in argument`, ``, "zeros of a dtype are np.New(np.Int64, 2, 3); of any other array the dtype is changed by x.AsType(np.Int64)"),
	of(`^undefined: (plt|matplotlib|sns)$`, ``, "charts are viz.Line(x, y), viz.Scatter, viz.Hist, ...; %doc charts"),
	of(`^undefined: viz\.(Plot|plot)$`, ``, "a curve is viz.Line(x, y)"),
	of(`^undefined: viz\.(Imshow|ImShow|imshow|Pcolormesh|pcolormesh)\b`, ``, "a matrix as colours is viz.HeatMap(a), a picture viz.Image(a)"),
	of(`type \*gpu\.Report\) as \*trace\.Log value`, ``, "a launch's record, for charts of it, is its method Log: viz.Stalls(rep.Log())"),
	of(`^undefined: viz\.Divergence$`, ``, "what divergence does is drawn by viz.Reconvergence() and viz.Source()"),
	of(`^undefined: viz\.(Show|show)$`, ``, "a chart is shown as a cell's last value, anywhere by Display(chart)"),
	of(`^undefined: (pd|pandas)$`, ``, "tables are in package frames: frames.Read(\"file.csv\")"),
	of(`^undefined: (cp|cupy|jnp|torch|tf)$`, ``, "arrays run on the GPU that np.Use names: np.Use(\"cuda\"), np.Use(\"sim:v100\")"),
	of(`^undefined: frames\.(ReadCSV|Read_csv|read_csv)$`, ``, "a table is read by frames.Read(\"file.csv\")"),
	of(`^multiple-value .*, (err )?error\)\) in single-value context$`, ``, "an error comes with it: x, err := …, or np.Must(…), which stops the cell"),
	of(`^assignment mismatch: 1 variable but .* returns 2 values$`, ``, "where the second is an error: x, err := …, or np.Must(…), which stops the cell"),
	of(`^too many arguments in call to [^\n]*\n\thave \(.*, error\)`, ``, "np.Must(…) takes the error away, or stops the cell"),
	of(`^undefined: help$`, ``, "name? shows what is known of a name, %help how a session is used"),
	of(`^undefined: (dir|vars)$`, ``, "np. and the Tab key show what a package has, %who what cells have declared"),
	of(`^undefined: (True|False|None)$`, ``, "Go writes true, false and nil"),
	of(`^undefined: (str|repr)$`, ``, "the text of a value is fmt.Sprint(x)"),
	of(`^undefined: float$`, ``, "a number is converted by float64(x)"),
	of(`^undefined: (abs|round|pow)$`, ``, "of numbers these are math.Abs(x), math.Round(x) and math.Pow(x, y), of arrays np.Abs(x), np.Round(x, 2) and x.Pow(y)"),
	of(`^undefined: (sum|sorted)$`, ``, "of arrays these are x.Sum() and np.Sort(x)"),
	of(`^undefined: (list|tuple)$`, ``, "a list is a Go slice: []int{1, 2, 3}; the elements of an array are x.Float64s(), x.Ints() and their like"),
	of(`^undefined: (enumerate|zip)$`, ``, "a loop is for i := range 10 { … }, or for i, v := range values { … }"),
	of(`^undefined: input$`, ``, "a line is read by fmt.Scanln(&text)"),
	of(`^expected (type|'IDENT'), found`, `^\s*type\(`, "the type of a value is written by fmt.Printf(\"%T\", x), that of an array's elements is x.DType()"),
	of(`found 'range'$`, `^\s*\|?range\(`, "a loop is for i := range 10 { … }; an array of 0 to 9 is np.Arange(10)"),
	of(`found 'for'$`, `\[[^\]]*\|for\b`, "Go has no comprehensions: operators work on all elements of an array, as x*2, and append in a loop makes a slice"),
	of(`found is$`, ``, "Go compares by x == nil and x != nil"),
	of(`found in$`, ``, "a slice is searched by slices.Contains(list, x), an array by (a == x).Any()"),
	of(``, `^\s*\|?try\|?\s*[:{]`, "errors are values: data, err := np.LoadCSV(\"file.csv\"), or np.Must(np.LoadCSV(\"file.csv\")) to stop the cell"),

	of(`^undefined: np\.Try[A-Z]`, ``, "np computes when a value is needed: x := np.Inv(m), then err := np.TryEval(x); the functions that return an error at once are in package arrays"),
	of(`type \[\]\*(np|arrays)\.Array\) as \[\]interface`, ``, "a list of arrays is passed as it is, without dots behind it: np.VStack(list)"),
	of(`type \*np\.Array\) as float64 value`, ``, "the number of an array with one element is x.Float64(); np's functions, as np.Sqrt, take arrays"),
	of(`type \*np\.Array\) as int value`, ``, "the number of an array with one element is x.Int()"),
	of(`type \*np\.Array\) as bool value`, ``, "the truth of an array with one element is x.Bool()"),
	of(`type \*np\.Array\) as \[\]float64 value`, ``, "the elements as a Go slice are x.Float64s()"),
	of(`type \*np\.Array\) as \[\]int value`, ``, "the elements as a Go slice are x.Ints()"),
	of(`type \*np\.Array\) cannot be ordered$`, ``, "of an array it is x.Max() and x.Min(), of two np.Maximum(x, y) and np.Minimum(x, y)"),
	of(`^assignment mismatch: \d+ variables but np\.(Meshgrid|NonZero|Unstack|BroadcastArrays|\w*Split) returns 1 value$`, ``, "it is a slice of arrays: parts := …, then parts[0], parts[1]"),
	of(`cannot call np\.All `, ``, "np.All stands for a whole axis in x.At(np.All, 0); the method is (x > 3).All()"),
	of(`^not enough arguments in call to np\.Where\n`, ``, "the places of what is true are np.NonZero(x > 3), the elements there x[x > 3]"),
	of(`cannot call np\.\w+ .* type np\.DType\)`, ``, "a dtype converts arrays, as in x.AsType(np.Float32); a number is converted by float32(x)"),
	of(`as \w+\.DType value`, ``, "a dtype is np.Float64, np.Int64, np.Bool and their like"),
	of(`^\w+ \(type\) is not an expression$`, `[aA]s[tT]ype\(\|`, "a dtype is np.Float64, np.Int64, np.Bool and their like"),
	of(`type \*np\.Array has no field or method (Data|data)\b`, ``, "np.Data[float64](x) is the elements as a Go slice"),
	of(`a slice of numbers as \w+, not a func\(`, `\|\w+\.\w`, "a method is called with parentheses, as x.Shape() and x.T()"),
	of(`mismatched types .*\bfunc\(|^cannot index \S+ \(value of type func\(|\(type func\(.* has no field or method `, `\w\.\w|\.\|\w`, "a method is called with parentheses, as x.Shape() and x.T()"),
	of(`^not enough arguments in call to viz\.Line\n`, ``, "x comes first, as in viz.Line(np.Arange(y.Len()), y)"),
	of(`^undefined: viz\.(SaveFig|Savefig|savefig)$`, ``, "a chart is written by viz.Save(\"chart.png\", chart)"),
	of(`^cannot index .*type \*frames\.Table\)`, ``, "a column is t.Col(\"name\"), set by t.Set(\"name\", values); rows are t.Rows(0, 5) and t.Where(mask)"),
	of(`type \*frames\.Table\) for built-in len$`, ``, "the number of rows is t.Len()"),
	of(`^not enough arguments in call to \S+\.(Head|Tail)\n`, ``, "it takes the number of rows: t.Head(5)"),
}

var assigned = lazyregexp.New(`^([\pL_][\pL\d_]*)\s*=[^=]`)

// pythonHint knows what Python writes otherwise.
func pythonHint(message, line string, at int) string {
	if m := assigned.FindStringSubmatch(line[at:]); m != nil && message == "undefined: "+m[1] {
		return fmt.Sprintf("a new variable is declared by %s := …", m[1])
	}
	split := line[:at] + "|" + line[at:]
	for _, table := range [][]foreign{python, streams} {
		for _, f := range table {
			if f.message.MatchString(message) && f.line.MatchString(split) {
				return f.instead
			}
		}
	}
	return ""
}

var (
	tableName = lazyregexp.New(`type \*frames\.(?:Table|Groups) has no field or method (\w+)`)
	// pandasNames are methods and attributes of pandas' data frames and groups, in small letters without underscores.
	pandasNames = map[string]string{
		"shape": "t.Len() and len(t.Names())", "columns": "t.Names()", "info": "t.Describe(); a column's dtype is t.Column(\"name\").DType()",
		"dtypes": "t.Column(\"name\").DType()", "index": "the number of the row", "values": "t.Col(\"name\")", "size": "t.Len()",
		"loc": "t.Where(mask) and t.Col(\"name\")", "iloc": "t.Rows(0, 5)", "query": "t.Where(t.Col(\"name\") > 3)",
		"aggregate": "t.Agg(frames.Sum(\"x\"), frames.Mean(\"x\"))",
		"merge":     "t.Join(other, frames.On(\"key\"), frames.Left)", "dropduplicates": "t.Unique(\"name\")", "tojson": "t.Write(\"out.json\")",
		"str": "t.Column(\"name\"), whose methods Lower, Contains and their like are for text", "dt": "t.Column(\"name\"), whose methods Year, Month and their like are for dates",
		"tonumpy": "t.Array(\"x\", \"y\")", "isna": "t.Column(\"name\").Missing()", "isnull": "t.Column(\"name\").Missing()",
		"tocsv": "t.Write(\"out.csv\")", "tofeather": "t.Write(\"out.arrow\")", "assign": "t.With(\"name\", values)", "insert": "t.Set(\"name\", values)",
		"dropna": "t.DropMissing(\"name\")", "fillna": "t.Set(\"name\", t.Column(\"name\").Filled(0))",
		"sortvalues": "t.Sort(\"name\"), from the largest on t.Sort(\"-name\")", "nunique": "t.Agg(frames.NUnique(\"name\"))",
		"plot": "viz.Line(t.Col(\"x\"), t.Col(\"y\"))", "hist": "viz.Hist(t.Col(\"name\"), 20)",
	}
)

// pandasHint knows what pandas calls the methods of tables, and a column behind a dot.
func pandasHint(message, _ string, _ int) string {
	m := tableName.FindStringSubmatch(message)
	if m == nil || strings.Contains(message, "but does have method") {
		return ""
	}
	if ours := pandasNames[strings.ToLower(strings.ReplaceAll(m[1], "_", ""))]; ours != "" {
		return fmt.Sprintf("pandas' %s is %s here", m[1], ours)
	}
	if strings.ToLower(m[1]) == m[1] {
		return fmt.Sprintf("a column is t.Col(%q)", m[1])
	}
	return ""
}

var (
	cudaName  = lazyregexp.New(`^undefined: (?:gpu\.|cuda\.)?(\w+)`)
	cudaNames = map[string]string{
		"threadidx": "gpu.ThreadX(), ThreadY() and ThreadZ()", "blockidx": "gpu.BlockX(), BlockY() and BlockZ()",
		"blockdim": "gpu.BlockDimX(), BlockDimY() and BlockDimZ()", "griddim": "gpu.GridDimX(), GridDimY() and GridDimZ()",
		"syncthreads": "gpu.Sync()", "syncwarp": "gpu.SyncWarp()", "threadfence": "gpu.Fence()", "laneid": "gpu.LaneID()",
		"shfldownsync": "gpu.ShflDown(v, delta)", "shflupsync": "gpu.ShflUp(v, delta)", "shflxorsync": "gpu.ShflXor(v, mask)",
		"shflsync": "gpu.ShflIdx(v, lane)", "ballotsync": "gpu.Ballot(p)", "atomicsub": "gpu.AtomicAdd(&x[i], -v)",
		"atomicadd": "gpu.AtomicAdd(&x[i], v)", "atomiccas": "gpu.AtomicCAS(&x[i], old, v)", "shared": "gpu.Shared[[256]float32]()",
	}
)

// cudaHint knows CUDA C's names, as they are or in the form of Go names of package gpu.
func cudaHint(message, line string, at int) string {
	m := cudaName.FindStringSubmatch(message)
	if m == nil || strings.Contains(message, "(but have") {
		return ""
	}
	name := strings.ToLower(strings.ReplaceAll(m[1], "_", ""))
	if name == "cuda" { // Numba's cuda.threadIdx
		if _, rest, ok := strings.Cut(dotted.FindString(line[at:]), "."); ok {
			name, _, _ = strings.Cut(strings.ToLower(rest), ".")
			m[1] = rest
		}
	}
	if name == "grid" {
		return "the thread's place in the grid is gpu.GlobalID() here"
	}
	if ours := cudaNames[name]; ours != "" {
		return fmt.Sprintf("CUDA's %s is %s here", m[1], ours)
	}
	return ""
}
