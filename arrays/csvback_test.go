package arrays

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/arrayrepl/arrayrepl/internal/csvtable"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// oddTexts are texts that some reader or other takes for something else.
var oddTexts = []string{"", "x", " x", "x ", "\tx\t", "a,b", "a;b", "a\tb", "a|b", `"`, `""`, `say "no"`, `"q"`, "\n", "a\nb", "a\r\nb", "\r", "a\rb", "#go", "#ff0000", "# ", `\.`, "é", "日本", "\U0001F600", "\u00a0x", "\ufeffx", "'", "NA", "null",
	"NaN", "None", "N/A", "#N/A", "<NA>", "NaT", "nan", "-", "2019_01", "0x1p4", "1_000", "1e", "TRUE!", "tRue", "2024-13-01", "a\x00b"}

// randomTable returns columns of random dtypes with missing values, where the dtype has them, and masks where it has
// not.
func randomTable(r *rand.Rand, rows int) (names []string, columns []*Array, masks map[string][]bool) {
	masks = map[string][]bool{}
	for i := range 1 + r.IntN(4) {
		name := []string{"n", "2019", "", "a b", "NA", "True", `q"`, "#c", "x\ny", " pad ", "2024-01-01", "é"}[r.IntN(12)]
		for _, other := range names {
			if other == name {
				name = fmt.Sprint("c", i)
			}
		}
		bits, gone := make([]uint64, rows), make([]bool, rows)
		missing := r.IntN(3) == 0
		for k := range bits {
			bits[k], gone[k] = r.Uint64()>>r.IntN(64), missing && r.IntN(3) == 0
		}
		u := FromSlice(bits)
		var c *Array
		switch kind := r.IntN(9); kind {
		case 0, 1, 2: // whole numbers; of missing ones the values are 0
			c = u.AsType([]DType{Int64, Uint64, Int8, Uint16, Int32}[r.IntN(5)])
			if missing {
				c = Where(FromSlice(gone), New(c.dtype), c)
				masks[name] = gone
			}
		case 3:
			c = u.BitAnd(1).AsType(Bool)
			if missing {
				c = Where(FromSlice(gone), New(Bool), c)
				masks[name] = gone
			}
		case 4, 5:
			v := make([]float64, rows)
			for k := range v {
				v[k] = []float64{math.Float64frombits(r.Uint64()), float64(r.IntN(100)), r.NormFloat64(), math.Inf(1), math.Copysign(0, -1), 5e-324}[r.IntN(6)]
				if gone[k] {
					v[k] = math.NaN()
				}
			}
			c = FromSlice(v).AsType([]DType{Float64, Float32}[kind-4])
		case 6:
			days := make([]int64, rows)
			for k := range days {
				if days[k] = r.Int64N(40_000) - 10_000; gone[k] {
					days[k] = notATime
				}
			}
			c = FromSlice(days).AsType(DateTime(Day)).AsType(DateTime([]Unit{Year, Month, Day, Hour, Second, Nanosecond}[r.IntN(6)]))
		default:
			v := make([]string, rows)
			for k := range v {
				v[k] = oddTexts[r.IntN(len(oddTexts))]
				if r.IntN(3) == 0 {
					v[k] += oddTexts[r.IntN(len(oddTexts))]
				}
			}
			c = FromSlice(v)
		}
		names, columns = append(names, name), append(columns, c)
	}
	return names, columns, masks
}

// late is a text that is made where somebody prints it.
type late func() string

func (f late) String() string { return f() }

// TestTablesComeBack: a random table that is written is read back equal: names, missing values and all others, by
// itself in a dtype that has them all, and with ColumnType in its own. So with every delimiter, and in pieces.
func TestTablesComeBack(t *testing.T) {
	testsize.InTurn(t, 2)
	defer func(n, m int) { pieceBytes, writtenRows = n, m }(pieceBytes, writtenRows)
	writtenRows = 5
	r := rand.New(rand.NewPCG(7, 8))
	dir := t.TempDir()
	for round := range 600 {
		pieceBytes = []int{1, 30, 1 << 20}[round%3]
		rows := r.IntN(12)
		names, columns, masks := randomTable(r, rows)
		path := filepath.Join(dir, fmt.Sprint(round, []string{"t.csv", "t.csv.gz"}[r.IntN(2)]))
		comma := CSVOption(func(*csvOptions) {}) // a comma, which is found
		if r.IntN(4) > 0 {
			comma = Delimiter([]rune{',', ';', '\t', '|', ' ', '§'}[r.IntN(6)])
		}
		require.NoError(t, SaveTable(path, names, columns, comma, MissingInto(masks)))
		what := func(i int) fmt.Stringer {
			return late(func() string {
				in, err := csvtable.Open(path)
				require.NoError(t, err)
				defer in.Close()
				text := make([]byte, 4000)
				n, _ := in.Read(text)
				return fmt.Sprintf("round %d, column %q of %v %v\n%q", round, names[i], columns[i].dtype, columns[i], text[:n])
			})
		}
		got := map[string][]bool{}
		var report CSVReport
		gotNames, read, err := LoadTable(path, comma, MissingInto(got), Report(&report))
		require.NoError(t, err, what(0))
		require.Equal(t, names, gotNames, what(0))
		require.True(t, report.Header)
		for i, c := range columns {
			x := read[i]
			require.Equal(t, rows, x.Len(), what(i))
			allGone := len(masks[names[i]]) > 0
			for _, gone := range masks[names[i]] {
				allGone = allGone && gone
			}
			switch {
			case rows == 0 || allGone: // nothing tells what it was
				continue
			case c.dtype.IsString() && c.Eq("").All().Bool():
				continue
			case c.dtype.IsString():
				require.Equal(t, c.Strings(), x.AsType(Str(0)).Strings(), what(i))
				continue
			case c.dtype.IsFloat() && IsNaN(c).All().Bool(), c.dtype.IsTime() && IsNaN(c).All().Bool():
				require.True(t, IsNaN(x).All().Bool(), what(i))
				continue
			case c.dtype.IsBool():
				require.Equal(t, Bool, x.dtype, what(i))
			case c.dtype.IsFloat():
				require.Equal(t, Float64, x.dtype, what(i))
				require.True(t, slicesSame(c.AsType(Float64).Float64s(), x.AsType(c.dtype).AsType(Float64).Float64s()), "%v, not %v: %s", x, c, what(i))
				continue
			case c.dtype.IsTime():
				require.True(t, x.dtype.isDate(), what(i))
				require.Equal(t, c.Strings(), x.AsType(c.dtype).Strings(), what(i))
				continue
			default:
				require.True(t, x.dtype == Int64 || x.dtype == Uint64, what(i))
			}
			require.Equal(t, c.String(), x.AsType(c.dtype).String(), what(i))
			require.True(t, c.Eq(x).All().Bool(), what(i))
			if mask := masks[names[i]]; mask != nil && FromSlice(mask).Any().Bool() {
				require.Equal(t, mask, got[names[i]], what(i))
			}
		}
		opts := []CSVOption{comma, Header(true), MissingInto(map[string][]bool{})}
		for i, c := range columns {
			opts = append(opts, ColumnType(names[i], c.dtype))
		}
		_, read, err = LoadTable(path, opts...)
		require.NoError(t, err, what(0))
		for i, c := range columns {
			require.Equal(t, c.dtype, read[i].dtype, what(i))
			require.Equal(t, c.Strings(), read[i].Strings(), what(i))
		}
	}
}

// TestEncodings: the same table in encodings, with a mark of them and without, is the same; Latin-1 is told.
func TestEncodings(t *testing.T) {
	const text = "größe,n\nKöln – “x”,1\n\"ä\né\",2\n"
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy) string {
		s, err := unicode.UTF16(order, mark).NewEncoder().String(text)
		require.NoError(t, err)
		return s
	}
	narrowed, err := charmap.Windows1252.NewEncoder().String(text)
	require.NoError(t, err)
	greek, err := charmap.ISO8859_7.NewEncoder().String("α,n\nβ,1\n")
	require.NoError(t, err)
	for _, c := range []struct {
		name, text, encoding string
		opts                 []CSVOption
	}{
		{"utf-8", text, "utf-8", nil}, {"mark", "\ufeff" + text, "utf-8", nil}, {"mark and name", "\ufeff" + text, "utf-8", []CSVOption{Encoding("UTF-8")}},
		{"utf-16le", wide(unicode.LittleEndian, unicode.UseBOM), "utf-16le", nil}, {"utf-16be", wide(unicode.BigEndian, unicode.UseBOM), "utf-16be", nil},
		{"no mark le", wide(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le", nil}, {"no mark be", wide(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be", nil},
		{"named", wide(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be", []CSVOption{Encoding("UTF_16BE")}},
		{"windows-1252", narrowed, "windows-1252", nil}, {"cp1252", narrowed, "windows-1252", []CSVOption{Encoding("cp1252")}},
	} {
		var report CSVReport
		path := writeFile(t, "t.csv", c.text)
		names, columns, err := LoadTable(path, append(c.opts, Report(&report))...)
		require.NoError(t, err, c.name)
		require.Equal(t, []string{"größe", "n"}, names, c.name)
		require.Equal(t, []string{"Köln – “x”", "ä\né"}, columns[0].Strings(), c.name)
		require.Equal(t, c.encoding, report.Encoding, c.name)
		require.Equal(t, c.name == "windows-1252", len(report.Notes) == 1 && strings.Contains(report.Notes[0], "Windows-1252"), c.name)
		a, err := LoadCSV(path, append(c.opts, Columns("n"))...)
		if c.name != "windows-1252" {
			require.NoError(t, err, c.name)
			require.Equal(t, []float64{1, 2}, a.Float64s())
		}
	}
	names, columns, err := LoadTable(writeFile(t, "t.csv", greek), Encoding("iso-8859-7"))
	require.NoError(t, err)
	require.Equal(t, "α β", names[0]+" "+columns[0].Strings()[0])
	smile, err := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String("a,n\n😀,1\n") // it ends with a zero byte
	require.NoError(t, err)
	_, columns, err = LoadTable(writeFile(t, "t.csv", smile))
	require.NoError(t, err)
	require.Equal(t, []string{"😀"}, columns[0].Strings())
	for text, want := range map[string]string{"a,b\nä,1\n\xe4,2\n": "line 3: the text is not UTF-8 here", "\ufeffa\n\xe4\n": "line 2: the text is not UTF-8"} {
		_, _, err = LoadTable(writeFile(t, "t.csv", text))
		require.ErrorContains(t, err, want)
	}
	_, _, err = LoadTable(writeFile(t, "t.csv", greek), Encoding("klingon"))
	require.ErrorContains(t, err, `encoding "klingon" is not known; there are utf-8`)
}

// TestHeaderRule: a header is told by the types of the columns below it.
func TestHeaderRule(t *testing.T) {
	for text, want := range map[string]bool{
		"name,2019,2020\nAnn,1,2\nBob,3,4\n": true, "name,2019\nAnn,1.5\nBob,2\n": true, "id,2019,2020\n1,5,6\n": true, "year,1990\n1,2\n": true, "date,x\n2024-01-02,a\n": true,
		"city,1,2,3\nUlm,50,60,70\n": true, "k,1,2\na,0.5,0.25\nb,1.5,2.5\n": true, ",0,1\nx,2.5,3\ny,1,2\n": true, "a,b\nc,d\n": true, "\"2019\",\"2020\"\n1,2\n": true, "1,2\na,b\nc,d\n": true, "ok,x\nTrue,a\n": true,
		"2019\nTrue\nFALSE\n": true, "7,2020\n1,2024-01-02\n2,2024-01-03\n": true, "True,a\n1,b\n2.5,c\n": true, "2024-01-02\n5\n": true,
		"1,2\n3,4\n": false, "5.1,3.5,setosa\n4.9,3.0,setosa\n": false, "Ann,3,4\nBob,5,6\n": false, "Ann,1990\nBob,1985\n": false, "2024-01-01,a\n2024-01-02,b\n": false, "True,False\nTrue,True\n": false,
		"\"1\",\"2\"\n\"3\",\"4\"\n": false, "NaN,1\n2,3\n": false, "39,State-gov,77516,Bachelors\n50,Self,83311,Bachelors\n": false, "a,2019,2019\nb,1,2\n": false, "2019\n1.5\n": false, "True,2019\nFalse,2.5\n": false,
	} {
		var report CSVReport
		names, columns, err := LoadTable(writeFile(t, "t.csv", text), Report(&report))
		require.NoError(t, err, text)
		rows := strings.Count(text, "\n")
		if want {
			rows--
		}
		require.Equal(t, want, report.Header, "%q: %s", text, report.Why)
		require.Equal(t, rows, columns[0].Len(), "%q", text)
		require.Equal(t, !want, names[0] == "0", "%q: %q", text, names)
	}
}

// TestCSVOptions: each option, by what it is said to do.
func TestCSVOptions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       []CSVOption
		want       string
	}{
		{"thousands", "n;x\n1,234;1,234.5\n-12,345,678;7\n", []CSVOption{Delimiter(';'), Thousands(',')}, "n int64 [     1234 -12345678] x float64 [1234.5    7. ]"},
		{"thousands of spaces", "n;m\n1 234;9 007 199 254 740 993\n7;1\n", []CSVOption{Delimiter(';'), Thousands(' ')}, "n int64 [1234    7] m int64 [9007199254740993                1]"},
		{"a quote in a comment", "a b\n% don't \"say\n1  x\n% \"\n2  y\n", []CSVOption{Delimiter(' '), Comment("%")}, "a int64 [1 2] b <U1 ['x' 'y']"},
		{"Latin-1 by name", "\xe4,b,\xf6\n007,1,1\n", []CSVOption{Columns("ö", "ä"), ColumnType("ä", Str(0))}, "ö int64 [1] ä <U3 ['007']"},
		{"names beside Latin-1", "\xe4\n1\n", []CSVOption{Names("é"), Header(false)}, "é <U1 ['ä' '1']"},
		{"no thousands", "n;x\n1,23;1,2345\n1,2;5,\n", []CSVOption{Delimiter(';'), Thousands(',')}, "n <U4 ['1,23' '1,2'] x <U6 ['1,2345' '5,']"},
		{"dates of digits", "d,n\n20240102,20240102\n20231231,1\n", []CSVOption{DateFormat("20060102")}, "d datetime64[D] ['2024-01-02' '2023-12-31'] n int64 [20240102        1]"},
		{"decimal comma", "n;x\n1.234.567;1,5\n2;-0,25\n", []CSVOption{Delimiter(';'), DecimalMark(','), Thousands('.')}, "n int64 [1234567       2] x float64 [ 1.5  -0.25]"},
		{"a point beside a decimal comma", "x\n1,5\n1.5\n", []CSVOption{Delimiter(';'), DecimalMark(',')}, "x <U3 ['1,5' '1.5']"},
		{"missing", "a,b\n-999,?\n1,x\n", []CSVOption{Missing("-999", "?")}, "a float64 [nan  1.] b <U1 ['' 'x']"},
		{"a missing number", "a;b\n-999.0;x\n-9,99e2;-999\n1;-9990\n", []CSVOption{Delimiter(';'), DecimalMark(','), Missing("-999")}, "a <U6 ['-999.0' '' '1'] b <U5 ['x' '' '-9990']"},
		{"missing numbers", "a,b\n-999.00,0.0\n1,2\n", []CSVOption{Missing("-999", "0")}, "a float64 [nan  1.] b float64 [nan  2.]"},
		{"only missing", "a,b\nNA,-\n,x\n", []CSVOption{OnlyMissing("-")}, "a <U2 ['NA' ''] b <U1 ['' 'x']"},
		{"words in quotes", "a,b\n\"NA\",\"NA\"\nx,1\n", nil, "a <U2 ['NA' 'x'] b float64 [nan  1.]"},
		{"missing words of pandas", "a,b\n1,x\nN/A,N/A\nnull,null\nNULL,NULL\nNone,None\n#N/A,#N/A\n<NA>,<NA>\nNaT,NaT\n", nil, "a float64 [ 1. nan nan nan nan nan nan nan] b <U1 ['x' '' '' '' '' '' '' '']"},
		{"dates", "d,t\n24.12.2024,1/2/2024 15:04\n,3/4/2024 05:06\n", []CSVOption{DateFormat("02.01.2006"), DateFormat("1/2/2006 15:04")}, "d datetime64[D] ['2024-12-24'        'NaT'] t datetime64[m] ['2024-01-02T15:04' '2024-03-04T05:06']"},
		{"types", "zip,n,f\n01234,1,2\n99999,,3\n", []CSVOption{ColumnType("zip", Str(0)), ColumnType("f", Float32)}, "zip <U5 ['01234' '99999'] n float64 [ 1. nan] f float32 [2. 3.]"},
		{"names", "1,2\n3,4\n", []CSVOption{Names("x", "y")}, "x int64 [1 3] y int64 [2 4]"},
		{"names for a header", "a,a\n3,4\n", []CSVOption{Names("x", "y")}, "x int64 [3] y int64 [4]"},
		{"columns by number", "1,2,3\n4,5,6\n", []CSVOption{Columns("2", "0")}, "2 int64 [3 6] 0 int64 [1 4]"},
		{"no Go numbers", "a,b,c\n2019_01,0x1p4,1_0.5\n2019_02,0x10,2\n", nil, "a <U7 ['2019_01' '2019_02'] b <U5 ['0x1p4' '0x10'] c <U5 ['1_0.5' '2']"},
		{"beyond int64", "a,b,c\n9223372036854775808,-1,123456789012345678901\n1,9223372036854775808,2\n", nil, "a uint64 [9223372036854775808                   1] b <U19 ['-1' '9223372036854775808'] c <U21 ['123456789012345678901' '2']"},
		{"beyond 2^53 with one missing", "a,b\n9007199254740993,1\n,2\n", nil, "a <U16 ['9007199254740993' ''] b int64 [1 2]"},
		{"rows of #", "color,n\n#ff0000,1\n#00ff00,2\n", nil, "color <U7 ['#ff0000' '#00ff00'] n int64 [1 2]"},
		{"lone CR", "a,b\r1,x\r2,y", nil, "a int64 [1 2] b <U1 ['x' 'y']"},
	} {
		names, columns, err := LoadTable(writeFile(t, "t.csv", c.text), c.opts...)
		require.NoError(t, err, c.name)
		var got []string
		for i, x := range columns {
			got = append(got, fmt.Sprintf("%s %v %v", names[i], x.dtype, x))
		}
		require.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}

// TestCSVOptionErrors: an error names the file, the line and the column, and what to do.
func TestCSVOptionErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		opts []CSVOption
		want string
	}{
		{"a,b\n1,x\n2.5,y\n", []CSVOption{ColumnType("a", Int64)}, `line 3, column 1 (a): "2.5" is not a whole number, as ColumnType says`},
		{"a\n\n300\n", []CSVOption{ColumnType("a", Uint8)}, `line 3, column 1 (a): "300" is not in the range of uint8, 0 to 255`},
		{"a,b\n1,x\n,y\n", []CSVOption{ColumnType("a", Int64)}, `line 3, column 1 (a): the cell is missing, and int64 has no value for that`},
		{"a\nyes\n", []CSVOption{ColumnType("a", Bool)}, `line 2, column 1 (a): "yes" is not True, False, 0 or 1`},
		{"a\n24.12.2024\n", []CSVOption{ColumnType("a", DateTime(Day))}, `DateFormat(layout) adds a form of dates`},
		{"a\nlong\n", []CSVOption{ColumnType("a", Str(3))}, `line 2, column 1 (a): "long" is longer than <U3`},
		{"a\n1\n", []CSVOption{ColumnType("b", Int64)}, `ColumnType names a column "b", which is not read; there are "a"`},
		{"a,b\n1\n", nil, `line 2 has 1 cells, the first row has 2; check the delimiter`},
		{"a,b\n1,2,3\n", []CSVOption{Ragged(RaggedFilled)}, `line 2 has 3 cells`},
		{"a,b\n\"x\ny,2\n", nil, `line 2, column 1: the quote that opens the cell is not closed`},
		{"a,b\n1,\"x\"y\n", nil, `line 2, column 2: there is text behind the quote that closes the cell`},
		{"a,b\n1,2\n", []CSVOption{Names("x")}, `Names gives 1 names to the 2 columns`},
		{"a\n1\n", []CSVOption{DateFormat("%d.%m.%Y")}, `"02.01.2006"`},
		{"a\n1\n", []CSVOption{DateFormat("15:04")}, `has nothing of a date`},
		{"a\n1\n", []CSVOption{DecimalMark(',')}, `both the delimiter and the decimal mark`},
		{"a\n1\n", []CSVOption{Thousands('.')}, `both the decimal mark and what groups thousands`},
		{"a\n1\n", []CSVOption{Quote(',')}, `both the delimiter and the quote`},
		{"a\n1\n", []CSVOption{Delimiter('\n')}, `Delimiter('\n')`},
	} {
		path := writeFile(t, "t.csv", c.text)
		_, _, err := LoadTable(path, c.opts...)
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, path)
	}
	arrow := filepath.Join(t.TempDir(), "t.arrow")
	require.NoError(t, SaveTable(arrow, []string{"a"}, []*Array{Arange(3)}))
	_, _, err := LoadTable(arrow, Thousands(','))
	require.ErrorContains(t, err, "Thousands is for files of text")
	require.ErrorContains(t, SaveTable(filepath.Join(t.TempDir(), "t.csv"), []string{"a", "b"}, []*Array{Arange(3), Arange(2)}), "shape (2,)")
	_, err = os.Stat(arrow)
	require.NoError(t, err)
}
