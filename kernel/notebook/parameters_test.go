package notebook

import (
	"strings"
	"testing"
)

func TestInject(t *testing.T) {
	code := func(source string, tags ...any) *Cell {
		return &Cell{Type: "code", Source: source, Metadata: map[string]any{"tags": tags}}
	}
	for _, tt := range []struct {
		name  string
		cells []*Cell
		has   bool
		want  string
	}{
		{"after the parameters", []*Cell{code("a"), code("n := 1", "parameters"), code("b")}, true, "a | n := 1 | NEW | b"},
		{"at the top", []*Cell{code("a"), {Type: "markdown", Source: "text", Metadata: map[string]any{"tags": []any{"parameters"}}}}, false, "NEW | a | text"},
		{"in place of the last run's", []*Cell{code("n := 1", "parameters"), code("n = 2", "injected-parameters"), code("b")}, true, "n := 1 | NEW | b"},
		{"into an empty notebook", nil, false, "NEW"},
	} {
		nb := &Notebook{Cells: tt.cells}
		if nb.HasParameters() != tt.has {
			t.Errorf("%s: HasParameters is %v", tt.name, !tt.has)
		}
		nb.Inject("NEW")
		var got []string
		for _, c := range nb.Cells {
			got = append(got, c.Source)
		}
		if s := strings.Join(got, " | "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
		if _, err := nb.JSON(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
