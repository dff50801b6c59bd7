package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// NAME? finds what NumPy calls a function or an array's method, and takes no package for it that has the same name.
func TestNumPyNamesAreDescribed(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays()})
	require.NoError(t, err)
	defer s.Close()
	if _, err := s.Run(context.Background(), 1, "x := np.Ones(3); n := 3"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"np.sort":     "np.sort is np.Sort\n\nfunc np.Sort(",
		"np.mean":     "np.mean is np.Mean\n\nfunc np.Mean(",
		"x.mean":      "x.mean is np.Mean\n\nfunc np.Mean(",
		"numpy.sort":  "numpy.sort is np.Sort\n\nfunc np.Sort(",
		"np.Sort":     "",
		"np.nosuch":   "",
		"n.sort":      "",
		"sort":        "",
		"strings.sum": "",
	} {
		b, ok := describe(s)(name)
		if got := b.Text(); ok != (want != "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s? gives %q, want %q", name, got, want)
		}
	}
	if d, ok := s.Describe("np.sort", len("np.sort"), 0); ok {
		t.Errorf("np.sort is taken for %s", d.Signature)
	}
	// Who forgot to call a method reads how that is done, and of other functions a type, as cells name it.
	for src, want := range map[string]string{
		"x.T":         "func (a *np.Array) T(axes ...np.AxisOption) *np.Array\nT returns a view",
		"np.Must":     "func np.Must[T any](v T, err error) T\nMust returns v",
		"np.PadMode":  "type np.PadMode = arrays.PadMode\nPadMode ",
		"np":          "package lazy // import",
		"f := x.T; f": "func(...np.AxisOption) *np.Array",
	} {
		if b, err := s.Run(context.Background(), 2, src); err != nil || !strings.HasPrefix(b.Text(), want) {
			t.Errorf("%s gives %q %v, want %q", src, b.Text(), err, want)
		}
	}
}
