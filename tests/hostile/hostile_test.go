package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

func TestMain(m *testing.M) {
	for _, part := range []func() (bool, error){runSession, runChild} {
		if asked, err := part(); asked {
			if err != nil {
				fmt.Fprintln(os.Stderr, "hostile:", err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// TestHostile: of what is damaged or made to harm, each reader makes a value or a clear error, within its memory.
func TestHostile(t *testing.T) {
	seeds := slices.Collect(testsize.Seeds("tests/hostile.TestHostile"))
	for _, f := range formats() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			n, wrong, err := runFormat(options{cases: len(seeds), first: int(seeds[0]), seed: 1}, f, &out)
			require.NoError(t, err)
			assert.Zero(t, wrong, out.String())
			if strings.Contains(out.String(), ": "+skipLine) {
				judges.Missing(t, "%s", out.String())
			}
			assert.Greater(t, n, len(f.seeds()), "cases that were tried")
		})
	}
}

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
