package main

import (
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

func TestParameters(t *testing.T) {
	for _, tt := range []struct {
		arg  string
		raw  bool
		want string // "" for an error
	}{
		{"n=10", false, "n = 10"},
		{"n=-0x1F", false, "n = -0x1F"},
		{"x=1e-3", false, "x = 1e-3"},
		{"b=true", false, "b = true"},
		{"s=a \"b\"=c", false, `s = "a \"b\"=c"`},
		{"s=NaN", false, `s = "NaN"`},
		{"s=inf", false, `s = "inf"`},
		{"s=10", true, `s = "10"`},
		{"s=", false, `s = ""`},
		{"10=s", false, ""},
		{"func=1", false, ""},
		{"n", false, ""},
	} {
		var p parameters
		if err := p.parse(tt.arg, tt.raw); (err == nil) != (tt.want != "") {
			t.Errorf("%s: %v", tt.arg, err)
			continue
		} else if err != nil {
			continue
		}
		nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "code", Metadata: map[string]any{"tags": []any{"parameters"}}}}}
		p.inject(nb)
		if got := nb.Cells[1].Source; got != "// Parameters of this run\n"+tt.want {
			t.Errorf("%s: %q", tt.arg, got)
		}
	}
	nb := &notebook.Notebook{}
	p := parameters{[]string{"a", "b"}, []string{"1", "2"}}
	p.inject(nb)
	if got := nb.Cells[0].Source; got != "// Parameters of this run\na := 1\nb := 2" {
		t.Errorf("without a cell of parameters: %q", got)
	}
}

func TestTimeSpans(t *testing.T) {
	for s, want := range map[string]time.Duration{"90s": 90 * time.Second, "1m30s": 90 * time.Second, "90": 90 * time.Second, "0.5": 500 * time.Millisecond, "0": 0} {
		if got, err := timeSpan(s); got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "soon", "-1s", "90 s"} {
		if got, err := timeSpan(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
}
