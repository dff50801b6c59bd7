package display

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type bold struct{}

func (bold) HTML() string { return "<b>" }

type many struct{}

func (many) SVG() string          { return "<svg/>" }
func (many) Latex() string        { return "$x$" }
func (many) JSON() map[string]any { return map[string]any{"a": 1} }
func (many) PDF() []byte          { return []byte("%PDF") }
func (many) JavaScript() string   { return "1" }
func (many) String() string       { return "many" }
func (many) Markdown() string     { return "*m*" }
func (many) PNG() []byte          { return []byte("p") }
func (many) JPEG() []byte         { return []byte("j") }

type renders struct{}

func (renders) Render() Data { return Data{Data: MIMEMap{TypeHTML: "<i>"}} }

type simple struct{}

func (simple) SimpleRender() MIMEMap { return MIMEMap{TypeMarkdown: "m", TypeText: "own"} }

type panics struct{ with any }

func (p panics) HTML() string { panic(p.with) }

// Which forms a value has, by its methods and its kind.
func TestForms(t *testing.T) {
	small := image.NewGray(image.Rect(0, 0, 2, 3))
	for _, tt := range []struct {
		name  string
		v     any
		types string
		text  string
	}{
		{"nil", nil, "text/plain", "<nil>"},
		{"text", "a", "text/plain", "a"},
		{"a method", bold{}, "text/html text/plain", "display.bold{}"},
		{"many methods", many{}, "application/javascript application/json application/pdf image/jpeg image/png image/svg+xml text/latex text/markdown text/plain", "many"},
		{"Render", renders{}, "text/html text/plain", "display.renders{}"},
		{"SimpleRender", simple{}, "text/markdown text/plain", "own"},
		{"a bundle", Text("b"), "text/plain", "b"},
		{"a constructor", Markdown("*m*"), "text/markdown text/plain", "*m*"},
		{"Math", Math("$x$"), "text/latex text/plain", "$x$"},
		{"MIME", MIME(MIMEMap{"a/b": 1}, nil), "a/b text/plain", "<a/b>"},
		{"Any", Any(TypeHTML, "<b>"), "text/html text/plain", "<text/html>"},
		{"Any of a reader", Any("", strings.NewReader("GIF89a")), "image/gif text/plain", "<GIF picture, 6 bytes>"},
		{"Any of what writes itself", Any(TypePNG, bytes.NewBufferString("p")), "image/png text/plain", "<image/png>"},
		{"a picture", small, "image/png text/plain", "<image.Gray, 2 by 3 pixels>"},
		{"an empty picture", image.NewGray(image.Rect(0, 0, 0, 3)), "text/plain", "<image.Gray, 0 by 3 pixels>"},
		{"an endless picture", image.NewUniform(color.White), "text/plain", "<image.Uniform, 2000000000 by 2000000000 pixels: too large to show; scale it down first>"},
		{"the bytes of a picture", []byte("GIF89a"), "image/gif text/plain", "<GIF picture, 6 bytes>"},
		{"the bytes of a document", []byte("%PDF-1.7"), "application/pdf text/plain", "<PDF document, 8 bytes>"},
		{"other bytes", []byte{1, 2}, "text/plain", "[]byte{0x01, 0x02}"},
		{"a struct", struct{ A, b int }{1, 2}, "text/html text/plain", "struct{ A int; b int }{A: 1, b: 2}"},
		{"a struct whose fields are not exported", struct{ a int }{1}, "text/html text/plain", "struct{ a int }{a: 1}"},
		{"a struct that prints itself", time.Second, "text/plain", "1s"},
		{"times", []time.Time{{}}, "text/plain", "[]time.Time{0001-01-01 00:00:00 +0000 UTC}"},
		{"an error", errors.New("no"), "text/html text/plain", "error: no"},
		{"a map", map[string]int{"a": 1}, "text/html text/plain", `map[string]int{"a": 1}`},
		{"an empty map", map[string]int{}, "text/plain", "map[string]int{}"},
		{"numbers", []int{1, 2}, "text/plain", "[]int{1, 2}"},
		{"structs", []struct{ A int }{{1}}, "text/html text/plain", "[]struct{ A int }{{A: 1}}"},
	} {
		b, err := Of(tt.v)
		if got := strings.Join(sortedKeys(b.Data), " "); err != nil || got != tt.types || b.Text() != tt.text {
			t.Errorf("%s: %s, text %q, %v; want %s, %q", tt.name, got, b.Text(), err, tt.types, tt.text)
		}
	}
}

func TestMarkdownWithinOthers(t *testing.T) {
	many := make([]Bundle, 22)
	for i := range many {
		many[i] = Markdown("*m*")
	}
	for _, tt := range []struct {
		name     string
		v        any
		markdown string // none where HTML shows it
	}{
		{"a slice", []Bundle{Markdown("# One"), Markdown("*two*")}, "# One\n\n*two*"},
		{"with formulas and text", []any{Markdown("*m*"), Math("$x$"), Text("a ``` b\n*c*")}, "*m*\n\n$$x$$\n\n````\na ``` b\n*c*\n````"},
		{"a map", map[string]Bundle{"b": Markdown("2"), "a": Markdown("1")}, "**`a`**\n\n1\n\n**`b`**\n\n2"},
		{"many", many, strings.Repeat("*m*\n\n", 20) + "… 2 more"},
		{"a column", Column(Markdown("*m*"), 3), "*m*\n\n```\n3\n```"},
		{"beside HTML", []Bundle{Markdown("*m*"), HTML("<b>h</b>")}, ""},
	} {
		b, err := Of(tt.v)
		require.NoError(t, err, tt.name)
		if tt.markdown == "" {
			assert.Contains(t, b.Data[TypeHTML], "<b>h</b>", tt.name)
			assert.NotContains(t, b.Data, TypeMarkdown, tt.name)
			continue
		}
		assert.Equal(t, tt.markdown, b.Data[TypeMarkdown], tt.name)
		assert.NotContains(t, b.Data, TypeHTML, tt.name)
	}
	both := Join([]any{Markdown("*m*"), 2}, []Bundle{Markdown("*m*"), Text("2")}, Options{})
	assert.Equal(t, "*m*\n\n```\n2\n```", both.Data[TypeMarkdown])
	assert.Equal(t, "````go\na ``` b\n````", Code("a ``` b", "go").Data[TypeMarkdown])
}

func TestPictureIsThePicture(t *testing.T) {
	m := image.NewNRGBA(image.Rect(5, 5, 8, 7))
	m.Set(6, 6, color.NRGBA{1, 2, 3, 255})
	b, err := Of(m)
	require.NoError(t, err)
	got, err := png.Decode(bytes.NewReader(b.Data[TypePNG].([]byte)))
	if err != nil || got.Bounds().Size() != image.Pt(3, 2) || color.NRGBAModel.Convert(got.At(1, 1)) != (color.NRGBA{1, 2, 3, 255}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestTables(t *testing.T) {
	type point struct {
		X    int
		Name string
	}
	long := make([]point, 50)
	type nested struct {
		P    *point
		Data []float64
		When time.Duration
	}
	for _, tt := range []struct {
		name string
		v    any
		want []string // in this order
		not  string
	}{
		{"struct", &point{1, "a<b"}, []string{"<tr><th>X</th><td>1</td></tr>", "<tr><th>Name</th><td>a&lt;b</td></tr>"}, "thead"},
		{"slice", []*point{{1, "a"}, nil}, []string{"<th></th><th>X</th><th>Name</th>", "<th>0</th><td>1</td><td>a</td>", "<th>1</th><td>nil</td>"}, "more"},
		{"long slice", long, []string{"<th>19</th>", "… 30 more rows"}, "<th>20</th>"},
		{"map", map[int]string{10: "x", 9: "y"}, []string{"<th>9</th><td>y</td>", "<th>10</th><td>x</td>"}, "thead"},
		{"map of structs", map[string]point{"k": {1, "a"}}, []string{"<th></th><th>X</th>", "<th>k</th><td>1</td><td>a</td>"}, "more"},
		{"large field", nested{Data: make([]float64, 1000), When: time.Second}, []string{"<td>nil</td>", "[]float64 of 1000", "1s"}, "0 0"},
		{"long text", point{Name: strings.Repeat("ä", 500)}, []string{strings.Repeat("ä", tableText) + "…"}, strings.Repeat("ä", tableText+1)},
	} {
		got := ""
		if table := tableOf(tt.v, false); table != nil {
			got = table.html()
		}
		rest := got
		for _, w := range tt.want {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				t.Errorf("%s: %q is not in its place in\n%s", tt.name, w, got)
				break
			}
			rest = after
		}
		if strings.Contains(got, tt.not) {
			t.Errorf("%s: %q is in\n%s", tt.name, tt.not, got)
		}
	}
}

func TestPanicsBecomeErrors(t *testing.T) {
	own := errors.New("own")
	if _, err := Of(panics{own}); err != own {
		t.Errorf("an error as panic value: %v", err)
	}
	var p *PanicError
	if _, err := Of(panics{"text"}); !errors.As(err, &p) || p.Value != "text" || len(p.Stack) == 0 {
		t.Errorf("another panic value: %v", err)
	}
}

// Pictures are base64, text and SVG are text, the rest is JSON.
func TestMarshalData(t *testing.T) {
	b := Bundle{Data: map[string]any{TypePNG: []byte{0, 255}, TypeSVG: []byte("<svg/>"), TypeJSON: []int{1}, TypeText: "a"}}
	data, err := b.MarshalData()
	require.NoError(t, err)
	want := map[string]any{TypePNG: "AP8=", TypeSVG: "<svg/>", TypeJSON: []any{1.0}, TypeText: "a"}
	for typ, w := range want {
		var got any
		if err := json.Unmarshal(data[typ], &got); err != nil || !reflect.DeepEqual(got, w) {
			t.Errorf("%s: %v, %v; want %v", typ, got, err, w)
		}
	}
}

// What JSON cannot say is an error where the value is shown, not a message that no client gets.
func TestFormsThatAreNotJSON(t *testing.T) {
	for want, v := range map[string]any{
		"application/geo+json form of a value is not JSON: invalid character 'b'":       GeoJSON("{bad"),
		"application/json form of a value: json: unsupported value: NaN":                JSON(math.NaN()),
		"application/json form of a value: json: unsupported type: chan int":            JSON(make(chan int)),
		"application/x form of a value is not JSON: unexpected end of JSON input; it b": MIME(MIMEMap{"application/x": json.RawMessage("")}, nil),
	} {
		_, err := Of(v)
		assert.ErrorContains(t, err, want)
	}
	b, err := Of(JSON([]any{1, "<b>"}))
	require.NoError(t, err)
	assert.Equal(t, json.RawMessage(`[1,"<b>"]`), b.Data[TypeJSON])
}

// A function shows its type: who forgot to call it sees what it wants and gives.
func TestFunctionsShowTheirType(t *testing.T) {
	for want, v := range map[string]any{"func(...string) *strings.Replacer": strings.NewReplacer, "func(any) error": func(v any) error { return nil }} {
		if b, err := Of(v); err != nil || b.Data[TypeText] != want {
			t.Errorf("%v %v, want %s", b.Data, err, want)
		}
	}
}
