package interp

import (
	"context"
	"testing"
)

func TestShort(t *testing.T) {
	s, err := New(Options{Short: map[string]string{"Upper": "strings.ToUpper"}, Packages: []Package{{"strings", "strings"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ cell, want string }{
		{`Upper("a")`, "A"},
		{`func twice(s string) string { return Upper(s) + Upper(s) }; twice("b")`, "BB"},
		{`func() string { Upper := func(s string) string { return s + "!" }; return Upper("c") }()`, "c!"},
		{`func Upper(s string) string { return "mine" }; Upper("d")`, "mine"},
		{`Upper("e")`, "mine"},
	} {
		b, err := s.Run(context.Background(), 1, c.cell)
		if err != nil || b.Text() != c.want {
			t.Errorf("%s: %q, %v; want %q", c.cell, b.Text(), err, c.want)
		}
	}
}
