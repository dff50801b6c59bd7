package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestVerdicts: what a case must not do is found.
func TestVerdicts(t *testing.T) {
	f := &format{name: "made", base: 1 << 20, times: 10}
	reader := func(read func(in input) (string, error)) *format { g := *f; g.read = read; return &g }
	for name, c := range map[string]struct {
		f    *format
		in   input
		want string
	}{
		"a panic":     {reader(func(input) (string, error) { panic("x") }), input{}, "it panics"},
		"a bare end":  {reader(func(input) (string, error) { return "", fmt.Errorf("unexpected EOF in it") }), input{}, "not clear"},
		"memory":      {reader(func(input) (string, error) { return fmt.Sprint(len(make([]byte, 8<<20))), nil }), input{}, "bytes of memory"},
		"a wrong bit": {reader(func(input) (string, error) { return "2", nil }), input{must: unchanged, same: "1"}, "another value"},
		"no error":    {reader(func(input) (string, error) { return "2", nil }), input{must: fail}, "no error"},
		"a good one":  {reader(func(input) (string, error) { return "", fmt.Errorf("it has no header at all") }), input{must: succeed}, "refused"},
		"right":       {reader(func(input) (string, error) { return "", fmt.Errorf("it has no header at all") }), input{must: fail}, ""},
	} {
		wrong, _ := c.f.try(c.in)
		if c.want == "" {
			assert.Empty(t, wrong, name)
		} else {
			assert.Contains(t, wrong, c.want, name)
		}
	}
}
