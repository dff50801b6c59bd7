package gosrc

import (
	"go/types"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Functions of a struct's numbers become code with a parameter for each, whatever else the struct has; what uses more
// than these is refused, or reads memory, which whoever takes the code can see.
func TestReaders(t *testing.T) {
	src, pkg := parse(t, `
type group struct { pc int; at *[64]int32; age int64 }
type cand struct { group; ready bool; unit uint8; width int; in *cand; loads int }
var weight = 2.0
func few(c cand) float64 { return -float64(c.loads) }
func branchy(c cand) float64 { if c.ready && c.width > 16 { return float64(c.age) }; return help(c) }
func help(c cand) float64 { n := 0.0; for i := range c.pc { n += float64(i) / float64(c.width) }; return n }
func through(c cand) float64 { return float64(c.at[3]) }
func weighs(c cand) float64 { return weight * float64(c.loads) }
func text(c cand) string { return "" }
func two(c, d cand) float64 { return 0 }
func maps(c cand) float64 { return map[int]float64{1: 2}[c.width] }
`)
	for name, want := range map[string]string{"few": "", "branchy": "", "through": "", "weighs": "weight", "text": "one number", "two": "one struct", "maps": "maps"} {
		fn := pkg.Scope().Lookup(name).(*types.Func)
		code, fields, err := NewFunc(src, fn, nil, nil).Reader()
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v; want %q", name, err, want)
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want == "" && (len(fields) != 6 || len(code.Params) != 7 || code.Params[6].Type != kir.I64 || len(fields[0]) != 2 || fields[5][0] != 5):
			t.Errorf("%s: fields %v of %v", name, fields, code)
		case name == "through" && !strings.Contains(code.String(), "load"):
			t.Errorf("%s reads no memory: %v", name, code)
		}
	}
}
