package main

// valueTypes is the cell that declares what the cells of valueCells use.
const valueTypes = `import "given"
import "html/template"
import "database/sql"
import "database/sql/driver"
import "github.com/go-echarts/go-echarts/v2/charts"
import "github.com/go-echarts/go-echarts/v2/opts"
import "github.com/go-echarts/go-echarts/v2/components"

type Point struct{ X, Y float64 }
type Base struct{ ID int; tags []string }
type Derived struct { Base; Name string; next *Derived }
type Ring struct { V int; Next *Ring }
type List []List
type Celsius float64
type Day int
func (d Day) String() string { return [...]string{"Monday", "Tuesday"}[d] }
type Level struct{ n int }
func (l Level) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "level %d", l.n), nil }
type Item struct{ N int }
func (i Item) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "{\"n\": %d}", i.N), nil }
type Badge string
func (b Badge) HTML() string { return "<mark>" + string(b) + "</mark>" }
type Disc int
func (d Disc) SVG() string { return fmt.Sprintf("<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24'><circle cx='12' cy='12' r='%d' fill='teal'/></svg>", int(d)) }
type Account struct{ owner string }
type Shape interface{ Area() float64 }
type Square struct{ Side float64 }
func (s Square) Area() float64 { return s.Side * s.Side }
type Failure struct{ Code int }
func (f Failure) Error() string { return fmt.Sprint("code ", f.Code) }
func failing() error { return fmt.Errorf("load: %w", &fs.PathError{Op: "open", Path: "data.csv", Err: fs.ErrNotExist}) }
func bar() *charts.Bar {
	b := charts.NewBar()
	b.SetXAxis([]string{"a", "b"}).AddSeries("sold", []opts.BarData{{Value: 1}, {Value: 3}})
	return b
}
func picture(c color.Color) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, 16, 16))
	for i := range 256 { m.Set(i%16, i/16, c) }
	return m
}
func count(yield func(int) bool) { for i := 0; yield(i); i++ {} }
func full() chan int { c := make(chan int, 3); c <- 1; return c }
func loop() *Ring { r := &Ring{V: 1}; r.Next = r; return r }
func self() []any { l := []any{1, nil}; l[1] = l; return l }

type drv struct{}
type rws struct{ n int }
func (drv) Open(string) (driver.Conn, error) { return drv{}, nil }
func (drv) Prepare(string) (driver.Stmt, error) { return nil, errors.New("no") }
func (drv) Close() error { return nil }
func (drv) Begin() (driver.Tx, error) { return nil, errors.New("no") }
func (drv) Query(string, []driver.Value) (driver.Rows, error) { return &rws{}, nil }
func (*rws) Columns() []string { return []string{"id", "name", "note"} }
func (*rws) Close() error { return nil }
func (r *rws) Next(dest []driver.Value) error {
	if r.n++; r.n > 2 { return io.EOF }
	dest[0], dest[1], dest[2] = int64(r.n), []byte("Ann"), nil
	return nil
}`

// valueCells are cells that end with a value; an empty line and a name begin a group. A cell of several lines is set up
// by all but the last. "ixgo: " marks what the second engine has no means for.
var valueCells = []string{
	"# Numbers and texts",
	"42", "3.0", "0.1 + 0.2", "1e21", "math.NaN()", "float32(0.1)", "int64(7)", "uint8(255)", "complex64(1 + 2i)", "true", "'é'", `"two\nlines"`,
	"Celsius(36)", "Day(1)", "90 * time.Second", "big.NewRat(1, 3)", "error(nil)",
	"# Slices, arrays and maps",
	"[]int{1, 2, 3}", "[]float64{1, 2.5, math.Inf(1)}", `[]string{"a b", "", "c\n"}`, "[]rune(\"héllo\")", "[]int(nil)", "[]int{}", "[2]bool{true, false}",
	`[]any{1, 2.0, "3", nil, int8(4), []int(nil)}`, "[]Day{0, 1}", "[]error{io.EOF, nil}",
	`map[string]int{"b": 2, "a": 1}`, "map[string]int(nil)", "map[rune]bool{'x': true}", `map[string]struct{}{"x": {}}`, `map[string][]string{"k": {"v w"}, "n": nil}`,
	"map[float64]string{math.NaN(): \"lost\", 1: \"kept\"}",
	"[][]float64{{1, 2}, {3, 4.5}}", `[][]string{{"name", "age"}, {"Ann", "30"}}`, `[]map[string]any{{"a": 1, "b": "x"}, {"a": 2.5}}`,
	"# Structs and pointers",
	"Point{1, 2.5}", "&Point{1, 2}", "(*Point)(nil)", "[]Point{{1, 2}, {3, 4}}", "[]*Point{{1, 2}, nil}", `map[string]Point{"p": {1, 2}}`,
	`Derived{Base{7, []string{"t"}}, "d", &Derived{}}`, "loop()", "self()", "func() List { l := List{nil, {}}; l[0] = l; return l }()", `struct{ A int; B any }{1, "x"}`, "func() **int { n := 3; p := &n; return &p }()",
	"# Bytes",
	`[]byte("hello, 世界")`, "[]byte{0, 1, 255}", "make([]byte, 20)", "[4]byte{1, 2, 3, 4}", "sha256.Sum256(nil)",
	"# Functions, channels and sequences",
	"strings.ToUpper", "func(n int, more ...string) error { return nil }", "full()", "(chan int)(nil)", "iter.Seq[int](count)", "display.First(count, 3)", "maps.All(map[string]int{})",
	"# Errors",
	`errors.New("no")`, "failing()", `errors.Join(io.EOF, fs.ErrExist)`, "Failure{3}",
	"strconv.Atoi(\"12\")", "strconv.Atoi(\"x\")", "func() (image.Image, error) { return picture(color.Black), nil }()", "func() (int, string, error) { return 1, \"two\", io.EOF }()", "func() error { return nil }()",
	"# What libraries make",
	"bar()", "ixgo: []*charts.Bar{bar(), bar()}", "ixgo: components.NewPage().AddCharts(bar())", "given.Plot()", "given.Dense()", "given.Vector()", "given.Complex()",
	"picture(color.RGBA{200, 0, 0, 255})", "[]image.Image{picture(color.Black), picture(color.RGBA{0, 120, 0, 255})}", `map[string]image.Image{"dark": picture(color.Black)}`,
	"color.RGBA{255, 128, 0, 255}", "color.Palette{color.Black, color.RGBA{255, 0, 0, 255}}", `template.HTML("<b>bold</b>")`, "json.RawMessage(`{\"a\": [1, 2]}`)",
	"Item{3}", "Level{3}", "ixgo: db, _ := sql.Open(\"fake of values\", \"\")\ndb.Query(\"select\")",
	`&http.Response{Proto: "HTTP/1.1", Status: "418 I'm a teapot", Header: http.Header{"Content-Type": {"text/plain"}}, Body: io.NopCloser(strings.NewReader("short and stout"))}`,
	`url.Parse("https://go.dev/doc?x=1")`, "given.File()", "np.Arange(6).Reshape(2, 3)", "np.Ones(2).Sum()", "ixgo: []*np.Array{np.Ones(2), np.Eye(2)}",
	"# Types of the cells that say how they are shown",
	`Badge("new")`, `[]Badge{"new", "old"}`, "Disc(8)", `[]display.Bundle{display.Markdown("*one*"), display.Math("x^2")}`,
	"ixgo: display.Register(func(a Account) any { return display.HTML(\"<i>\" + a.owner + \"</i>\") })\nAccount{\"Ann\"}", `ixgo: []Account{{"Ann"}, {"Bob"}}`,
	"ixgo: display.Register(func(s Shape) any { return fmt.Sprintf(\"area %g\", s.Area()) })\nSquare{2}",
}
