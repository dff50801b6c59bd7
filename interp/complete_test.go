package interp

import (
	"slices"
	"strings"
	"testing"
)

// cut returns src without the mark |, and the mark's place in code points.
func cut(src string) (string, int) {
	before, after, _ := strings.Cut(src, "|")
	return before + after, len([]rune(before))
}

const completionCells = `import str "strings"
type Point struct{ X, Y float64; hidden int }
func (p Point) Norm() float64 { return 0 }
func (p *Point) Move(dx float64) {}
// Distance is how far
// apart points are.
func Distance(a, b Point) float64 { return 0 }
const Limit = 3
pt := Point{}
table := map[string]Point{}
type Outer struct{ Point; Name string }
out := Outer{}`

func TestComplete(t *testing.T) {
	r := newRecorder(t, Options{})
	if got := r.Run(1, completionCells); got != "" {
		t.Fatal(got)
	}
	for _, c := range []struct {
		src       string
		want, not string // proposals with their types
	}{
		{"Dis|", "Distance function", "pt variable"},
		{"p|", "pt variable,panic function,path package,print function", "Distance function"},
		{"Po|", "Point type", ""},
		{"Lim|", "Limit constant", ""},
		{"pt.|", "X field,Y field,hidden field,Norm method,Move method", ""},
		{"pt.M|", "Move method", "Norm method"},
		{"table[`a`].|", "X field,Norm method", "Move method"},
		{"out.|", "X field,Name field,Point field,Norm method", ""},
		{"Distance(pt, out.|", "Point field", ""},
		{"strings.Repl|", "Replace function,ReplaceAll function", "Repeat function"},
		{"str.Rep|", "Repeat function", ""},
		{"math.P|", "Pi constant,Pow function", "Sqrt function"},
		{"func f(abc int) {\n\tabd := abc\n\tab|\n}", "abc variable,abd variable", ""},
		{"for index := range 3 {\n\tfmt.Println(ind|", "index variable", ""},
		{"Point{|}", "X field,hidden field", ""},
		{"Point{X: 1, Y|", "Y field", ""},
		{"local := pt\nlocal.No|", "Norm method", ""},
		{"ret|", "return keyword", ""},
		{"x := str|", "string type,strings package,str package", ""},
		{"time.Now().Un|", "Unix method,UnixNano method", "Year method"},
		{"ä := pt; ä.N|", "Norm method", ""},
		{"\"pt.|\"", "", "X field"},
	} {
		src, cursor := cut(c.src)
		got := r.session.Complete(src, cursor)
		var have []string
		for _, m := range got.Matches {
			have = append(have, m.Text+" "+m.Type)
			if strings.ContainsAny(m.Text, "·Ξ") {
				t.Errorf("%q: a hidden name %q", c.src, m.Text)
			}
		}
		for _, w := range strings.Split(c.want, ",") {
			if w != "" && !slices.Contains(have, w) {
				t.Errorf("%q: no %q in %q", c.src, w, have)
			}
		}
		if c.not != "" && slices.Contains(have, c.not) {
			t.Errorf("%q: %q proposed", c.src, c.not)
		}
		if got.End != cursor || got.Start > cursor {
			t.Errorf("%q: replaces %d to %d, cursor at %d", c.src, got.Start, got.End, cursor)
		}
	}
	if got := r.Run(2, "pt"); got != "{0 0 0}\n" {
		t.Errorf("completion has changed the session: %q", got)
	}
}

func TestInspect(t *testing.T) {
	r := newRecorder(t, Options{})
	r.Run(1, completionCells)
	for _, c := range []struct{ src, want string }{
		{"Dist|ance(pt, pt)", "func Distance(a Point, b Point) float64\n\nDistance is how far apart points are."},
		{"Distance(|", "func Distance"},
		{"Distance(pt, |pt)", "var pt Point"},
		{"pt|", "var pt Point"},
		{"pt.No|rm()", "func (p Point) Norm() float64"},
		{"Point|", "type Point struct"},
		{"Point|", "func (p *Point) Move(dx float64)"},
		{"strings.Rep|eat", "func strings.Repeat(s string, count int) string\n\nRepeat returns a new string"},
		{"stri|ngs.Repeat", `package strings // import "strings"`},
		{"Limit|", "const Limit untyped int = 3"},
		{"new1 := 3.5; new|1", "var new1 float64"},
		{"lenn|", ""},
	} {
		src, cursor := cut(c.src)
		got, ok := r.session.Inspect(src, cursor)
		if ok != (c.want != "") || !strings.Contains(got, c.want) || strings.Contains(got, "·") {
			t.Errorf("%q: %q, %v; want %q", c.src, got, ok, c.want)
		}
	}
}

func TestIsComplete(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ src, status, indent string }{
		{"1 + 1", "complete", ""},
		{"", "complete", ""},
		{"// comment", "complete", ""},
		{"func f() {", "incomplete", "\t"},
		{"func f() {\n\tif true {", "incomplete", "\t\t"},
		{"x := []int{\n\t1,", "incomplete", "\t"},
		{"f(1,", "incomplete", "\t"},
		{"x +", "incomplete", "\t"},
		{"x := `raw", "incomplete", ""},
		{"/* open", "incomplete", ""},
		{"func f() {}", "complete", ""},
		{"func f() {}}", "invalid", ""},
		{"func 3() {}", "invalid", ""},
		{"x := (1]", "invalid", ""},
		{"for i := 0; i < 3; i++ {\n}", "complete", ""},
		{"undefinedName", "complete", ""}, // names are not its business
	} {
		status, indent := s.IsComplete(c.src)
		if status != c.status || indent != c.indent {
			t.Errorf("%q: %s %q, want %s %q", c.src, status, indent, c.status, c.indent)
		}
	}
}
