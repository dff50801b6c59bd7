package display

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type (
	celsius float64
	weekday int
	place2  struct{ X, Y float64 }
	based   struct {
		ID   int
		Made time.Duration
	}
	derived struct {
		based
		Name string
		tags []string
		next *derived
	}
	tree struct {
		Left, Right *tree
		V           int
	}
	level   int
	asText  struct{ s string }
	asJSON  struct{ N int }
	event   struct{ when time.Time }
	answers []string
	blob    []byte
	lines   int
	page    string
	quiet   string
)

func (w weekday) String() string              { return [...]string{"Monday", "Tuesday"}[w] }
func (l lines) String() string                { return strings.TrimSpace(strings.Repeat("a\nb\n", int(l)/2)) }
func (p page) HTML() string                   { return "<p>" + string(p) + "</p>" }
func (t asText) MarshalText() ([]byte, error) { return []byte("<" + t.s + ">"), nil }
func (j asJSON) MarshalJSON() ([]byte, error) {
	return []byte(fmt.Sprintf(`{"n":%d,"of":"<b>"}`, j.N)), nil
}
func (level) Render(w io.Writer) error   { _, err := io.WriteString(w, "<p>page</p>"); return err }
func (level) JSON() map[string]any       { return map[string]any{"series": 1} }
func words(yield func(string) bool)      { _ = yield("a") && yield("b") && yield("c") }
func pairs(yield func(int, string) bool) { _ = yield(0, "a") && yield(1, "b") }
func pointed[T any](v T) *T              { return &v }
func looped() *tree                      { t := &tree{V: 1}; t.Left = t; return t }
func selfish() map[string]any            { m := map[string]any{"n": 1}; m["self"] = m; return m }
func (quiet) String() string             { return "" }
func within(v any) []any                 { l := []any{v, nil}; l[1] = l; return l }
func twice() []any                       { l := []any{1, nil}; l[1] = l; return l }
func channel(n int) chan int {
	c := make(chan int, 5)
	for i := range n {
		c <- i
	}
	return c
}
func dot(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 2, 2))
	m.Set(0, 0, c)
	return m
}
func failedOpen() error { _, err := os.Open("/nosuch/file"); return err }
func response(body string) *http.Response {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(http.StatusTeapot)
	fmt.Fprint(w, body)
	return w.Result()
}

// What each value shows: its text, what its other forms are, and what stands in its HTML. The texts were written by
// hand: who reads one must know the value and its type, and can put most of them into a cell.
func TestValues(t *testing.T) {
	for _, tt := range []struct {
		name  string
		v     any
		text  string
		forms string   // beside text/plain
		html  []string // in this order
	}{
		// numbers and texts keep their types
		{"nil", nil, "<nil>", "", nil},
		{"int", 42, "42", "", nil},
		{"float64 without fraction", 3.0, "3.0", "", nil},
		{"float64", 0.1, "0.1", "", nil},
		{"large float64", 1e6, "1000000.0", "", nil},
		{"very large float64", 1e21, "1e+21", "", nil},
		{"small float64", 1e-7, "1e-07", "", nil},
		{"infinity", math.Inf(-1), "-Inf", "", nil},
		{"NaN", math.NaN(), "NaN", "", nil},
		{"float32", float32(0.1), "float32(0.1)", "", nil},
		{"int64", int64(7), "int64(7)", "", nil},
		{"uint8", uint8(255), "uint8(255)", "", nil},
		{"uintptr", uintptr(255), "uintptr(0xff)", "", nil},
		{"complex128", complex(1, -2), "(1-2i)", "", nil},
		{"bool", true, "true", "", nil},
		{"a text", "two\nlines", "two\nlines", "", nil},
		{"a named number", celsius(36), "display.celsius(36.0)", "", nil},
		{"a number with a name", weekday(1), "Tuesday", "", nil},
		{"a duration", 90 * time.Second, "1m30s", "", nil},
		{"a time", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "2026-01-02 03:04:05 +0000 UTC", "", nil},
		{"a big integer", new(big.Int).Exp(big.NewInt(2), big.NewInt(100), nil), "1267650600228229401496703205376", "", nil},
		{"a big fraction", big.NewRat(1, 3), "1/3", "", nil},
		{"a URL", &url.URL{Scheme: "https", Host: "go.dev"}, "https://go.dev", "", nil},
		{"an address", netip.MustParseAddr("10.0.0.1"), "10.0.0.1", "", nil},
		{"a text of nothing", quiet("x"), `display.quiet("x")`, "", nil},
		{"texts of nothing", []quiet{"x", "y"}, `[]display.quiet{"x", "y"}`, "", nil},
		{"nil with a text", (*big.Int)(nil), "(*big.Int)(nil)", "", nil},
		{"nil that is an error", (*fs.PathError)(nil), "(*fs.PathError)(nil)", "", nil},
		// slices, arrays and maps
		{"ints", []int{1, 2, 3}, "[]int{1, 2, 3}", "", nil},
		{"floats", []float64{1, 2.5, math.Inf(1)}, "[]float64{1.0, 2.5, +Inf}", "", nil},
		{"texts", []string{"a b", "c", ""}, `[]string{"a b", "c", ""}`, "", nil},
		{"a nil slice", []int(nil), "[]int(nil)", "", nil},
		{"an empty slice", []int{}, "[]int{}", "", nil},
		{"an array", [2]bool{true, false}, "[2]bool{true, false}", "", nil},
		{"anything", []any{1, 2.0, "3", nil, int8(4), []int(nil)}, `[]any{1, 2.0, "3", nil, int8(4), []int(nil)}`, "", nil},
		{"durations", []time.Duration{time.Second}, "[]time.Duration{1s}", "", nil},
		{"errors in a slice", []error{io.EOF, nil}, `[]error{error("EOF"), nil}`, "", nil},
		{"a named slice", answers{"yes"}, `display.answers{"yes"}`, "", nil},
		{"a map", map[string]int{"b": 2, "a": 1}, `map[string]int{"a": 1, "b": 2}`, "html", []string{TableTag, "<th>a</th><td>1</td>", "map[string]int, 2 entries"}},
		{"a nil map", map[string]int(nil), "map[string]int(nil)", "", nil},
		{"an empty map", map[string]int{}, "map[string]int{}", "", nil},
		{"a set", map[string]struct{}{"x": {}}, `map[string]struct{}{"x": {}}`, "html", []string{"<th>x</th><td>{}</td>"}},
		{"a map of slices", map[int][]string{1: {"a"}}, `map[int][]string{1: {"a"}}`, "html", []string{`<th>1</th><td>{&#34;a&#34;}</td>`}},
		{"two dimensions", [][]float64{{1, 2}, {3, 4.5}}, "[][]float64{{1.0, 2.0}, {3.0, 4.5}}", "html", []string{"<th></th><th>0</th><th>1</th>", "<th>1</th><td>3.0</td><td>4.5</td>"}},
		{"records", [][]string{{"name", "age"}, {"Ann", "30"}}, `[][]string{{"name", "age"}, {"Ann", "30"}}`, "html", []string{"<td>name</td><td>age</td>", "<td>Ann</td><td>30</td>"}},
		{"rows by name", []map[string]any{{"a": 1, "b": "x"}, {"a": 2.5}}, `[]map[string]any{{"a": 1, "b": "x"}, {"a": 2.5}}`, "html", []string{"<th></th><th>a</th><th>b</th>", "<td>1</td><td>x</td>", "<td>2.5</td><td></td>"}},
		// structs and pointers
		{"a struct", place2{1, 2.5}, "display.place2{X: 1.0, Y: 2.5}", "html", []string{"<th>X</th><td>1.0</td>", "display.place2"}},
		{"a pointer", &place2{1, 2}, "&display.place2{X: 1.0, Y: 2.0}", "html", []string{"<th>Y</th><td>2.0</td>"}},
		{"a nil pointer", (*place2)(nil), "(*display.place2)(nil)", "", nil},
		{"a pointer to a number", pointed(3), "&3", "", nil},
		{"structs", []place2{{1, 2}}, "[]display.place2{{X: 1.0, Y: 2.0}}", "html", []string{"<th>X</th><th>Y</th>", "[]display.place2, 1 row"}},
		{"pointers", []*place2{{1, 2}, nil}, "[]*display.place2{&display.place2{X: 1.0, Y: 2.0}, nil}", "html", []string{"<th>1</th><td>nil</td>"}},
		{"what a struct embeds", derived{based: based{7, time.Second}, Name: "d"}, `display.derived{ID: 7, Made: 1s, Name: "d", tags: nil, next: nil}`, "html", []string{"<th>Name</th><td>d</td>"}},
		{"no addresses", &derived{Name: "d", tags: []string{"t"}, next: &derived{}}, `&display.derived{ID: 0, Made: 0s, Name: "d", tags: []string{"t"}, next: &display.derived{…}}`, "html", nil},
		{"a tree", tree{V: 2, Left: &tree{V: 1}}, "display.tree{Left: &display.tree{Left: nil, Right: nil, V: 1}, Right: nil, V: 2}", "html", nil},
		{"a loop of pointers", looped(), "&display.tree{Left: (*display.tree)(the same again), Right: nil, V: 1}", "html", nil},
		{"a map that contains itself", selfish(), `map[string]any{"n": 1, "self": map[string]any(the same again)}`, "html", nil},
		{"a slice that contains itself", twice(), "[]any{1, []any(the same again)}", "", nil},
		{"a time that is not exported", event{time.Unix(0, 0).UTC()}, "display.event{when: 1970-01-01 00:00:00 +0000 UTC}", "", nil},
		{"no name", struct {
			A int
			B any
		}{1, "x"}, `struct{ A int; B any }{A: 1, B: "x"}`, "html", nil},
		{"a lock", new(sync.WaitGroup), "", "", nil},
		{"a table of what a struct embeds", struct {
			place2
			Z float64
		}{place2{1, 2}, 3}, "struct{ display.place2; Z float64 }{X: 1.0, Y: 2.0, Z: 3.0}", "html", []string{"<th>X</th><td>1.0</td>", "<th>Z</th><td>3.0</td>"}},
		{"fields that are not exported", struct {
			Name string
			at   time.Time
			seen *int
		}{"n", time.Unix(0, 0).UTC(), nil}, "", "html", []string{"<th>Name</th><td>n</td>", "<th>at</th><td>1970-01-01 00:00:00 +0000 UTC</td>", "<th>seen</th><td>nil</td>"}},
		{"a pointer to a pointer", pointed(pointed(3)), "&(*int)(…)", "", nil},
		{"no place", unsafe.Pointer(nil), "unsafe.Pointer(nil)", "", nil},
		{"a small complex number", complex64(1 + 2i), "complex64(1+2i)", "", nil},
		{"a NaN as a key", map[float64]string{math.NaN(): "lost", 1: "b"}, `map[float64]string{NaN: "lost", 1.0: "b"}`, "html", []string{"<th>NaN</th><td>lost</td>"}},
		{"texts of several lines in a list", []any{lines(2), 1}, "[]any{\n    a\n    b,\n    1,\n}", "", nil},
		{"what reflection knows", reflect.ValueOf([]string{"a"}), `reflect.Value of []string{"a"}`, "", nil},
		{"types of types", map[chan<- struct{}]func(...[3]byte) (<-chan any, error){}, "map[chan<- struct{}]func(...[3]byte) (<-chan any, error){}", "", nil},
		// bytes
		{"bytes of a text", []byte("hello, 世界\n"), `[]byte("hello, 世界\n")`, "", nil},
		{"few bytes", []byte{0, 1, 255}, "[]byte{0x00, 0x01, 0xff}", "", nil},
		{"no bytes", []byte{}, "[]byte{}", "", nil},
		{"many bytes", append(make([]byte, 16), "binary!"...), "[]byte of 23:\n00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n00000010  62 69 6e 61 72 79 21                              |binary!|", "", nil},
		{"bytes in a struct", struct{ B []byte }{[]byte("x")}, `struct{ B []byte }{B: []byte("x")}`, "html", []string{`<td>[]byte(&#34;x&#34;)</td>`}},
		{"a hash", [4]byte{1, 2, 3, 255}, "[4]byte{0x01, 0x02, 0x03, 0xff}", "", nil},
		{"a long hash", [20]byte{0: 1, 19: 'z'}, "[20]byte:\n00000000  01 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n00000010  00 00 00 7a                                       |...z|", "", nil},
		{"bytes with a name", blob{0, 1}, "display.blob{0x00, 0x01}", "", nil},
		{"many bytes with a name", blob(strings.Repeat("\x00\x01", 9)), "display.blob of 18:\n00000000  00 01 00 01 00 01 00 01  00 01 00 01 00 01 00 01  |................|\n00000010  00 01                                             |..|", "", nil},
		{"bytes in a map", map[string][]byte{"a": {0}}, `map[string][]byte{"a": {0x00}}`, "html", []string{"<td>{0x00}</td>"}},
		// functions, channels, sequences
		{"a function", strings.ToUpper, "func(string) string", "", nil},
		{"a nil function", (func())(nil), "func()", "", nil},
		{"a channel", channel(2), "chan int (2 of 5)", "", nil},
		{"a nil channel", (chan int)(nil), "(chan int)(nil)", "", nil},
		{"a sequence", iter.Seq[string](words), "iter.Seq[string]: a sequence of values; display.First(it, 10) has the first ones", "", nil},
		{"a sequence of pairs", maps.All(map[string]int{}), "iter.Seq2[string, int]: a sequence of pairs; display.First(it, 10) has the first ones", "", nil},
		{"the first of a sequence", First(words, 2), `[]any{"a", "b"}`, "", nil},
		{"the first pairs", First(pairs, 5), `[]any{[2]any{0, "a"}, [2]any{1, "b"}}`, "", nil},
		// errors
		{"an error", errors.New("no"), "error: no", "html", []string{"border-left", "error: no"}},
		{"a wrapped error", fmt.Errorf("load: %w", failedOpen()), "error: load: open /nosuch/file: no such file or directory\n  *fmt.wrapError\n  *fs.PathError: open /nosuch/file: no such file or directory\n  syscall.Errno: no such file or directory", "html", nil},
		{"joined errors", errors.Join(io.EOF, fs.ErrExist), "error: EOF\nfile already exists\n  *errors.joinError\n    *errors.errorString: EOF\n    *errors.errorString: file already exists", "html", nil},
		{"an error number", syscall.ENOENT, "error: no such file or directory\n  syscall.Errno", "html", nil},
		// what libraries make
		{"HTML of a template", template.HTML("<b>bold</b>"), "<b>bold</b>", "html", []string{"<b>bold</b>"}},
		{"raw JSON", json.RawMessage(`{"a":[1,2]}`), "{\n  \"a\": [\n    1,\n    2\n  ]\n}", "json", nil},
		{"what is not JSON", json.RawMessage(`{"a"`), `json.RawMessage("{\"a\"")`, "", nil},
		{"a MarshalJSON", asJSON{3}, "{\n  \"n\": 3,\n  \"of\": \"<b>\"\n}", "json", nil},
		{"a MarshalText", asText{"me"}, "<me>", "", nil},
		{"a page", level(1), "<display.level: 11 bytes of HTML>", "html", []string{"<p>page</p>"}},
		{"a colour", color.RGBA{255, 128, 0, 255}, "color.RGBA{R: 255, G: 128, B: 0, A: 255}  #ff8000", "html", []string{"background-color:#ff8000"}},
		{"a transparent colour", color.NRGBA{1, 2, 3, 4}, "", "html", []string{"#01020304"}},
		{"pictures", []image.Image{dot(color.White), dot(color.Black)}, "<image.RGBA, 2 by 2 pixels>\n<image.RGBA, 2 by 2 pixels>", "html", []string{"display:flex", `<img style="max-width:100%" width="2"`, "data:image/png;base64,", `<img`}},
		{"pictures of one type", []*image.RGBA{dot(color.White)}, "<image.RGBA, 2 by 2 pixels>", "html", []string{"data:image/png;base64,"}},
		{"pictures and nil", []image.Image{nil, dot(color.White), (*image.RGBA)(nil)}, "nil\n<image.RGBA, 2 by 2 pixels>\nnil", "html", []string{"nil</pre>", "data:image/png;base64,", "nil</pre>"}},
		{"rows of pictures", [][]image.Image{{dot(color.White)}, nil, {dot(color.Black), nil}}, "<image.RGBA, 2 by 2 pixels>\nnil\n<image.RGBA, 2 by 2 pixels>\nnil", "html", []string{"flex-direction:column", "flex-wrap", "image/png", "flex-wrap", "image/png"}},
		{"no pictures", []image.Image{nil, nil}, "[]image.Image{nil, nil}", "", nil},
		{"pictures that contain themselves", within(dot(color.White)), "[]any{<image.RGBA, 2 by 2 pixels>, []any(the same again)}", "", nil},
		{"a picture in a struct", struct{ P image.Image }{dot(color.White)}, "struct{ P image.Image }{P: <image.RGBA, 2 by 2 pixels>}", "html", []string{"&lt;image.RGBA, 2 by 2 pixels&gt;"}},
		{"pictures by names", map[string]image.Image{"dark": dot(color.Black)}, "dark:\n<image.RGBA, 2 by 2 pixels>", "html", []string{"<b>dark</b>", "data:image/png;base64,"}},
		{"colours", color.Palette{color.Black, color.RGBA{255, 0, 0, 255}}, "color.Gray16{Y: 0}  #000000\ncolor.RGBA{R: 255, G: 0, B: 0, A: 255}  #ff0000", "html", []string{"background-color:#000000", "background-color:#ff0000"}},
		{"pages", []page{"a", "b"}, "", "html", []string{"<p>a</p>", "<p>b</p>"}},
		{"pictures in anything", []any{dot(color.White), SVG("<svg/>")}, "<image.RGBA, 2 by 2 pixels>\n<svg picture>", "html", []string{"image/png", "image/svg+xml"}},
		{"a response", response("short and stout"), "HTTP/1.1 418 I'm a teapot\nContent-Type: text/plain\n\nshort and stout", "html", []string{"<b>HTTP/1.1 418 I&#39;m a teapot</b>"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Of(tt.v)
			require.NoError(t, err)
			if tt.text != "" {
				assert.Equal(t, tt.text, b.Text())
			}
			var forms []string
			for _, typ := range sortedKeys(b.Data) {
				if typ != TypeText {
					forms = append(forms, typ[strings.Index(typ, "/")+1:])
				}
			}
			if tt.text != "" || tt.html != nil {
				assert.Equal(t, tt.forms, strings.Join(forms, " "))
			}
			page, _ := b.Data[TypeHTML].(string)
			for _, want := range tt.html {
				_, after, found := strings.Cut(page, want)
				assert.True(t, found, "%q is not in its place in\n%s", want, page)
				page = after
			}
			assert.NotContains(t, b.Text(), "0xc0", "an address")
			_, err = b.MarshalData()
			assert.NoError(t, err)
		})
	}
}

// What is said of runes needs the type as the cell writes it.
func TestRunes(t *testing.T) {
	for want, v := range map[string]any{`[]rune(nil)`: []rune(nil), `map[rune]uint32{'x': 7}`: map[rune]uint32{'x': 7}, `[]func(rune) []rune(nil)`: []func(rune) []rune(nil), `'a'`: 'a', `[]rune{'h', 'i', '\n'}`: []rune("hi\n"), `map[rune]int{'x': 1}`: map[rune]int{'x': 1}} {
		b, err := OfWith(v, Options{Runes: true})
		require.NoError(t, err)
		assert.Equal(t, want, b.Text())
	}
	b, err := OfWith(map[rune]rune{'x': 'y'}, Options{Runes: true})
	require.NoError(t, err)
	assert.Contains(t, b.Data[TypeHTML], "<th>&#39;x&#39;</th><td>&#39;y&#39;</td>")
	b, _ = Of('a')
	assert.Equal(t, "int32(97)", b.Text())
}

// A body that has been shown can still be read.
func TestShownBodiesCanBeRead(t *testing.T) {
	r := response(strings.Repeat("0123456789", 1000))
	for range 2 {
		b, err := Of(r)
		require.NoError(t, err)
		assert.Contains(t, b.Text(), "… more")
		assert.Less(t, len(b.Text()), 3000)
	}
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	assert.Len(t, body, 10_000)
}

type fakeDriver struct{}
type fakeRows struct{ n int }
type fakeResult struct{}

func (fakeResult) LastInsertId() (int64, error) { return 11, nil }
func (fakeResult) RowsAffected() (int64, error) { return 2, nil }

func (fakeDriver) Open(string) (driver.Conn, error)                  { return fakeDriver{}, nil }
func (fakeDriver) Prepare(string) (driver.Stmt, error)               { return nil, errors.New("no") }
func (fakeDriver) Close() error                                      { return nil }
func (fakeDriver) Begin() (driver.Tx, error)                         { return nil, errors.New("no") }
func (fakeDriver) Query(string, []driver.Value) (driver.Rows, error) { return &fakeRows{}, nil }
func (*fakeRows) Columns() []string                                  { return []string{"id", "name", "note"} }
func (*fakeRows) Close() error                                       { return nil }
func (r *fakeRows) Next(dest []driver.Value) error {
	if r.n++; r.n > 25 {
		return io.EOF
	}
	dest[0], dest[1], dest[2] = int64(r.n), []byte("n"+strconv.Itoa(r.n)), nil
	return nil
}

func TestRowsOfADatabase(t *testing.T) {
	sql.Register("fake of display", fakeDriver{})
	db, err := sql.Open("fake of display", "")
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query("select")
	require.NoError(t, err)
	b, err := Of(rows)
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "id  name  note\n 1  n1    NULL\n")
	assert.Contains(t, b.Data[TypeHTML], "<td>20</td><td>n20</td><td>NULL</td>")
	left := 0
	for rows.Next() {
		left++
	}
	assert.Equal(t, 5, left, "rows after those that were shown")
	for want, v := range map[string]any{
		"sql.Result: rows affected: 3":                     driver.RowsAffected(3), // it knows no ID
		"sql.Result: rows affected: 2, last insert ID: 11": fakeResult{},
	} {
		b, err = Of(v)
		require.NoError(t, err)
		assert.Equal(t, want, b.Text())
	}
}

// Long texts are broken as gofmt breaks literals.
func TestLongValuesAreBroken(t *testing.T) {
	squares := make([]int, 60)
	for i := range squares {
		squares[i] = i * i * i
	}
	b, err := Of(map[string]any{"squares": squares, "place": place2{1, 2}})
	require.NoError(t, err)
	lines := strings.Split(b.Text(), "\n")
	assert.Equal(t, "map[string]any{", lines[0])
	assert.Equal(t, "    \"place\": display.place2{X: 1.0, Y: 2.0},", lines[1])
	assert.Equal(t, "    \"squares\": []int{", lines[2])
	assert.True(t, strings.HasPrefix(lines[3], "        0, 1, 8, 27,"), lines[3])
	assert.Equal(t, "    },", lines[len(lines)-2])
	for _, l := range lines {
		assert.LessOrEqual(t, len(l), lineWidth)
	}
	b, err = Of(make([]int, 1<<20))
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "… 1047576 more")
	assert.Less(t, len(b.Text()), 4000)
	var deep any
	for range 1 << 20 {
		deep = []any{deep}
	}
	b, err = Of(deep)
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "…")
}

type own struct{ N int }
type named interface{ Name() string }
type ann struct{}

func (ann) Name() string { return "Ann" }

func TestRegister(t *testing.T) {
	defer func() { registered.types, registered.interfaces = nil, nil }()
	Register(func(o own) any { return HTML(fmt.Sprintf("<b>%d</b>", o.N)) })
	Register(func(n named) string { return "I am " + n.Name() })
	Register(func(c chan string) chan string { return c }) // for itself: the rules go on
	for want, v := range map[string]any{"<b>3</b>": own{3}, "I am Ann": ann{}, "(chan string)(nil)": (chan string)(nil)} {
		b, err := Of(v)
		require.NoError(t, err)
		assert.Equal(t, want, b.Text())
	}
	b, err := Of([]any{ann{}, map[int]ann{1: {}}, own{3}})
	require.NoError(t, err)
	assert.Equal(t, "[]any{I am Ann, map[int]display.ann{1: I am Ann}, display.own{N: 3}}", b.Text(), "texts stand within others")
	Register(func(n named) string { panic("no") })
	b, err = Of([]any{1, ann{}})
	require.NoError(t, err)
	assert.Equal(t, "[]any{1, display.ann{}}", b.Text())
	Register(func(o own) any { return dot(color.White) })
	b, err = Of(own{})
	require.NoError(t, err)
	assert.Contains(t, b.Data, TypePNG)
	assert.Panics(t, func() { Extend(nil) })
	for _, wrong := range []any{nil, 3, func() {}, func(a, b int) int { return a }, func(v any) any { return v }, func(own) {}} {
		assert.Panics(t, func() { Register(wrong) }, "%T", wrong)
	}
}

// For comparison with compiled programs the texts are fmt's.
func TestTextsOfFmt(t *testing.T) {
	for _, v := range []any{3.0, []string{"a b"}, place2{1, 2}, errors.New("no"), []byte("a"), int8(1), map[string]int{"a": 1}} {
		b, err := OfWith(v, Options{Fmt: true})
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprint(v), b.Text())
	}
}

func TestJoin(t *testing.T) {
	of := func(values ...any) (bs []Bundle) {
		for _, v := range values {
			b, err := Of(v)
			require.NoError(t, err)
			bs = append(bs, b)
		}
		return bs
	}
	for want, values := range map[string][]any{
		`"a", "b", true`: {"a", "b", true},
		"0\nerror: strconv.Atoi: parsing \"x\": invalid syntax": {0, errors.New(`strconv.Atoi: parsing "x": invalid syntax`)},
		"1": {1},
	} {
		assert.Equal(t, want, Join(values, of(values...), Options{}).Text())
	}
	b := Join([]any{dot(color.White), 2}, of(dot(color.White), 2), Options{})
	assert.Contains(t, b.Data[TypeHTML], "data:image/png")
	assert.True(t, slices.Contains(sortedKeys(b.Data), TypeText))
}

// Maps in fields that are not exported may have keys of any kind: a figure of gonum has one of structs.
func TestKeysOfFieldsThatAreNotExported(t *testing.T) {
	type key struct{ a, b int }
	type holder struct {
		structs map[key]int
		arrays  map[[2]int]string
		bools   map[bool]int
		anys    map[any]int
	}
	b, err := Of([]holder{{map[key]int{{2, 1}: 1, {1, 2}: 2}, map[[2]int]string{{1, 2}: "x"}, map[bool]int{true: 1, false: 0}, map[any]int{1: 1, "a": 2}}})
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "{a: 1, b: 2}: 2, {a: 2, b: 1}: 1")
	assert.Contains(t, b.Text(), "{false: 0, true: 1}")
}

// figure writes itself as gonum's plots do.
type figure struct{ text string }

func (f *figure) WriterTo(w, h length, format string) (io.WriterTo, error) {
	return strings.NewReader("<svg>" + f.text + format + "</svg>"), nil
}

type length float64

func TestPlots(t *testing.T) {
	for _, v := range []any{&figure{"a"}, figure{"a"}} {
		b, err := Of(v)
		require.NoError(t, err)
		assert.Equal(t, "<svg>asvg</svg>", b.Data[TypeSVG])
		assert.Equal(t, []byte("<svg>apng</svg>"), b.Data[TypePNG])
	}
	b, err := Of([]*figure{{"a"}, {"b"}})
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(fmt.Sprint(b.Data[TypeHTML]), "<img "))
	b, err = Of([]*figure{nil, {"b"}})
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "nil")
}
