package arrays

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/csvtable"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// pandasTable is what pandas makes of a file; a cell of nil is missing.
type pandasTable struct {
	Names, DTypes []string
	Cells         [][]*string
	Error         string
	Skipped       bool
}

// csvCase is a file, options, and what pandas makes of it, with missing whole numbers as float64 and with its nullable
// dtypes.
type csvCase struct {
	What, Data      string
	Options         [][]string
	Plain, Nullable pandasTable
}

type csvCases struct {
	Pandas string
	Cases  []csvCase
}

// csvOptionsOf are the options that tests/golden/make_csvkinds.py names.
func csvOptionsOf(t *testing.T, named [][]string) (opts []CSVOption) {
	one := func(s string) rune {
		if s == "" {
			return 0
		}
		r, _ := utf8.DecodeRuneInString(s)
		return r
	}
	for _, o := range named {
		name, args := o[0], o[1:]
		switch name {
		case "Delimiter":
			opts = append(opts, Delimiter(one(args[0])))
		case "Quote":
			opts = append(opts, Quote(one(args[0])))
		case "Comment":
			opts = append(opts, Comment(args[0]))
		case "DecimalMark":
			opts = append(opts, DecimalMark(one(args[0])))
		case "Thousands":
			opts = append(opts, Thousands(one(args[0])))
		case "Encoding":
			opts = append(opts, Encoding(args[0]))
		case "OnlyMissing":
			opts = append(opts, OnlyMissing(args...))
		case "Missing":
			opts = append(opts, Missing(args...))
		case "DateFormat":
			opts = append(opts, DateFormat(args[0]))
		case "SkipLines":
			n, err := strconv.Atoi(args[0])
			require.NoError(t, err)
			opts = append(opts, SkipLines(n))
		case "Header":
			opts = append(opts, Header(args[0] == "true"))
		case "Names":
			opts = append(opts, Names(args...))
		case "Columns":
			opts = append(opts, Columns(args...))
		case "Ragged":
			opts = append(opts, Ragged(map[string]RaggedRows{"filled": RaggedFilled, "skipped": RaggedSkipped}[args[0]]))
		case "ColumnType":
			d := Str(0)
			if args[1] != "str" {
				d = dtypeNamed(args[1])
			}
			opts = append(opts, ColumnType(args[0], d))
		default:
			t.Fatalf("there is no option %q", name)
		}
	}
	return opts
}

// judge compares what LoadTable made with what pandas did, and names the difference that docs/numpy.md allows, if there
// is one.
func (want *pandasTable) judge(t *testing.T, what string, names []string, columns []*Array, masks map[string][]bool, format *csvtable.Format) (differences []string) {
	require.Equal(t, want.Names, names, what)
	for i, x := range columns {
		what := fmt.Sprintf("%s\ncolumn %q is %v %v, of pandas %s", what, names[i], x.dtype, x, want.DTypes[i])
		cells := want.Cells[i]
		require.Equal(t, len(cells), x.Len(), what)
		gone := make([]bool, len(cells))
		some, all, spelled := false, true, false
		for k, c := range cells {
			if c != nil && strings.EqualFold(want.DTypes[i], "int64") && format.IsMissing(*c) {
				cells[k], c, spelled = nil, nil, true // a number of Missing with blanks around it
			}
			if c != nil && want.DTypes[i] == "text" && x.dtype == Uint64 && format.IsMissing(*c) {
				cells[k], c = nil, nil // in its text of huge numbers
			}
			gone[k] = c == nil
			some, all = some || c == nil, all && c == nil
		}
		missing := masks[names[i]]
		if missing == nil {
			missing = make([]bool, len(cells))
			if x.dtype.IsFloat() || x.dtype.IsTime() {
				missing = IsNaN(x).Bools()
			} else if x.dtype.IsString() {
				missing = x.Eq("").Bools()
			}
		}
		kind := x.dtype.String()
		switch {
		case x.dtype.IsString():
			kind = "text"
		case x.dtype.isDate():
			kind = "date"
		}
		theirs := strings.ToLower(want.DTypes[i])
		if theirs == "boolean" {
			theirs = "bool"
		}
		difference := ""
		switch {
		case all: // nothing tells what it is
			require.Equal(t, gone, missing, what)
			continue
		case kind == theirs:
		case kind == "float64" && theirs == "int64" && spelled:
			difference = "numbers of Missing in another spelling"
		case kind == "text" && theirs == "float64" && some:
			difference = "whole numbers that float64 would round are text"
		case kind == "uint64" && theirs == "text" && some: // pandas has no nullable one of a file
			difference = "whole numbers beyond int64 and missing ones"
		default:
			require.Equal(t, theirs, kind, what)
		}
		for k, cell := range cells {
			one, at := x.At(k), fmt.Sprintf("row %d of %s", k, what)
			switch {
			case kind == "text" && missing[k] && cell != nil && format.IsMissing(*cell): // pandas leaves words beside huge numbers
				difference = "missing words beside numbers that are text"
				continue
			case kind == "uint64" && theirs == "text" && missing[k]:
				continue
			}
			require.Equal(t, gone[k], missing[k], at)
			switch {
			case cell == nil:
			case kind == "text" && theirs == "float64":
				text, _ := format.Spelled(one.Item().(string))
				v, err := strconv.ParseFloat(text, 64)
				require.NoError(t, err, at)
				w, err := strconv.ParseFloat(*cell, 64)
				require.NoError(t, err, at)
				require.Equal(t, w, v, at)
			case x.dtype.IsFloat():
				w, err := strconv.ParseFloat(*cell, 64)
				require.NoError(t, err, at)
				require.Equal(t, w, one.Float64(), at)
			case kind == "bool":
				require.Equal(t, *cell, map[bool]string{true: "True", false: "False"}[one.Bool()], at)
			case kind == "date":
				require.Equal(t, *cell, one.AsType(DateTime(Microsecond)).Strings()[0], at)
			case kind == "text" && some && strings.EqualFold(*cell, one.Item().(string)) && one.Item().(string) != *cell:
				require.Contains(t, []string{"True", "False"}, *cell, at)
				difference = "bools beside missing ones are text as written"
			default:
				text := fmt.Sprint(one.Item())
				if text != *cell { // of numbers beyond 64 bits pandas shows the value, or the groups
					a, _ := format.Spelled(text)
					b, _ := format.Spelled(*cell)
					x, y := new(big.Int), new(big.Int)
					_, whole := x.SetString(a, 10)
					_, theirs := y.SetString(b, 10)
					if whole && theirs && x.Cmp(y) == 0 {
						continue
					}
				}
				require.Equal(t, *cell, text, at)
			}
		}
		if difference != "" {
			differences = append(differences, difference)
		}
	}
	return differences
}

// judge reads all files, with missing whole numbers as float64 and by MissingInto.
func (c csvCases) judge(t *testing.T) {
	dir, count := t.TempDir(), map[string]int{}
	for i, f := range c.Cases {
		data, err := base64.StdEncoding.DecodeString(f.Data)
		require.NoError(t, err)
		opts := csvOptionsOf(t, f.Options)
		o := gather(opts)
		format := csvtable.NewFormat(&o.Options)
		path := filepath.Join(dir, "t.csv")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		what := fmt.Sprintf("case %d, %s, %v\n%q", i, f.What, f.Options, data)
		for _, how := range []string{"plain", "nullable"} {
			want, masks := &f.Plain, map[string][]bool{}
			if how == "nullable" {
				want, opts = &f.Nullable, append(opts, MissingInto(masks))
			}
			if want.Skipped {
				continue
			}
			names, columns, err := LoadTable(path, opts...)
			if want.Error != "" {
				if err == nil {
					t.Errorf("%s\npandas says %s; here %q %v", what, want.Error, names, columns)
				}
				count["error"]++
				continue
			}
			if !assert.NoError(t, err, what) {
				continue
			}
			t.Run(how, func(t *testing.T) {
				for _, d := range want.judge(t, how+" "+what, names, columns, masks, format) {
					count[d]++
				}
			})
			count["columns"] += len(columns)
		}
	}
	t.Logf("as pandas %s: %v", c.Pandas, count)
}

// TestCSVKindsAsPandas: files of the kinds that people have, each with several line ends and in several encodings, are
// what pandas made of them.
func TestCSVKindsAsPandas(t *testing.T) {
	testsize.InTurn(t, 0)
	text, err := os.ReadFile("testdata/csvkinds.json")
	require.NoError(t, err)
	var cases csvCases
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Greater(t, len(cases.Cases), 300)
	cases.judge(t)
}

// TestCSVKindsAnew: random tables in many dialects, encodings and with all options are what pandas makes of them now;
// those of a failure come again by PANDAS_SEED.
func TestCSVKindsAnew(t *testing.T) {
	testsize.InTurn(t, 1)
	python := judges.Python(t, "pandas")
	seed := os.Getenv("PANDAS_SEED")
	if seed == "" {
		seed = strconv.Itoa(20 + testsize.Turn())
	}
	n := strconv.Itoa(testsize.Of("arrays.TestCSVKindsAnew"))
	cmd := exec.Command(python, "-W", "ignore", "../tests/golden/make_csvkinds.py", seed, n)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	require.NoError(t, err)
	var cases csvCases
	require.NoError(t, json.Unmarshal(text, &cases))
	t.Logf("seed %s", seed)
	cases.judge(t)
}
