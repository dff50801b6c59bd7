package display

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestTextFitsTheScreen(t *testing.T) {
	defer SetScreen(Screen{})
	type city struct {
		Name    string
		North   float64
		Comment string
	}
	cities := []city{{"Reykjavík", 64.15, "the northernmost of all capitals, and the smallest here"}, {"Quito", -0.18, "two\nlines"}}
	many := make([]int, 40)
	for i := range many {
		many[i] = i * i
	}
	for _, c := range []struct {
		name    string
		columns int
		v       any
		want    string
	}{
		{"short enough", 40, []int{1, 2}, "[]int{1, 2}"},
		{"no terminal", 0, cities[1:], "[]display.city{{Name: \"Quito\", North: -0.18, Comment: \"two\\nlines\"}}"},
		{"slice of structs", 40, cities[:1], "   Name       North  Comment\n0  Reykjavík  64.15  the northernmost o…\n[]display.city, 1 row"},
		{"columns that have no room", 24, cities[:1], "   Name      North  …\n0  Reykjav…  64.15  …\n[]display.city, 1 row"},
		{"map", 40, map[string]city{"is": cities[0], "ec": {"Quito", -0.18, ""}}, "    Name       North  Comment\nec  Quito      -0.18\nis  Reykjavík  64.15  the northernmost …\nmap[string]display.city, 2 entries"},
		{"numbers", 40, many[:14], "[]int{\n    0, 1, 4, 9, 16, 25, 36, 49, 64, 81,\n    100, 121, 144, 169,\n}"},
		{"struct", 20, struct{ First, Second string }{"a value of its own", "b"}, "First   a value of …\nSecond  b\nstruct{ First strin…"},
	} {
		SetScreen(Screen{Columns: c.columns})
		b, err := Of(c.v)
		if err != nil || b.Text() != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, b.Text(), c.want)
		}
		for _, line := range strings.Split(b.Text(), "\n") {
			if c.columns > 0 && utf8.RuneCountInString(line) > c.columns {
				t.Errorf("%s: %q is wider than %d", c.name, line, c.columns)
			}
		}
	}
}

func TestProgressFitsTheScreen(t *testing.T) {
	defer SetScreen(Screen{})
	for _, columns := range []int{12, 24, 40, 80} {
		SetScreen(Screen{Columns: columns})
		p := NewProgress("a label of its own", 1000)
		p.n = 500
		text := p.text(3 * time.Second)
		if n := utf8.RuneCountInString(text); n >= columns || !strings.Contains(text, "a label") {
			t.Errorf("%d wide in %d columns: %q", n, columns, text)
		}
		if columns == 80 && text != "a label of its own  50% [████████████············] 500/1000, 3s left" {
			t.Errorf("%q", text)
		}
	}
}
