package main

import (
	"context"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// What is proposed is what docs/numpy.md says, whose names a test of package arrays looks up.
func TestErrorsKnowNumPysNames(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Hint: numPyHint})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for cell, want := range map[string]string{
		"np.multiply(1, 2)":                 "undefined: np.multiply; NumPy's multiply is np.Mul here\n",
		"np.Concatenate(1)":                 "NumPy's concatenate is np.Concat here\n",
		"np.linalg.inv(3)":                  "undefined: np.linalg; NumPy's linalg.inv is np.Inv here\n",
		"np.ones(3).astype(1)":              "undefined: np.ones (but have Ones)\n",
		"x := np.Ones(3)\nx.tolist()":       "NumPy's tolist is the method Float64s here\n",
		"2 * np.pi":                         "NumPy's pi is math.Pi in Go\n",
		"np.random.normal(0, 1)":            "random numbers come from a generator here: rng := np.DefaultRNG(1)\n",
		"np.fft.rfft(np.Ones(4)).shape":     "NumPy's fft.rfft is np.RFFT here\n",
		"np.Nothing(1)":                     "undefined: np.Nothing\n",
		"strings.multiply(1)":               "undefined: strings.multiply\n",
		"var b strings.Builder; b.multiply": "undefined (type strings.Builder has no field or method multiply)\n",
		"np.Array([]int{1})":                "to type np.Array; arrays are made by np.FromSlice here\n",
	} {
		_, err := s.Run(context.Background(), 1, cell)
		if err == nil || !strings.Contains(err.Error()+"\n", want) {
			t.Errorf("%s\n%v\nwant %s", cell, err, want)
		}
	}
}
