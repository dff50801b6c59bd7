package arrays

import (
	"fmt"
	"testing"
)

// TestRandomStreamsAsNumPy: one generator gives one kind of numbers after the other, so that all draw as many bits as
// NumPy's.
func TestRandomStreamsAsNumPy(t *testing.T) {
	type stream struct {
		Seed                                                                                 int
		Random, Integers, Coin, Wide, Whole, Normal, Uniform, Exponential, Permutation, Last goldenValue
	}
	var golden struct {
		Streams, Far []stream
	}
	readGolden(t, "random.json", &golden)
	for _, s := range golden.Streams {
		r := DefaultRNG(s.Seed)
		for _, c := range []struct {
			name string
			got  *Array
			want goldenValue
			ulps float64
		}{
			{"random", r.Random(2, 3), s.Random, 0},
			{"integers", r.Integers(0, 100, 7), s.Integers, 0},
			{"coin", r.Integers(0, 2, 5), s.Coin, 0},
			{"wide", r.Integers(-5, 1<<40, 3), s.Wide, 0},
			{"whole", r.Integers(-1<<63, 1<<63-1, 3), s.Whole, 0},
			{"normal", r.Normal(1.5, 2, 40), s.Normal, 1024}, // a table of NumPy is rounded several times
			{"uniform", r.Uniform(-1, 3, 4), s.Uniform, 0},
			{"exponential", r.Exponential(2, 30), s.Exponential, 0},
			{"permutation", r.Permutation(12), s.Permutation, 0},
			{"last", r.Random(1), s.Last, 0},
		} {
			if err := compare(c.got, c.want, c.ulps); err != nil {
				t.Errorf("seed %d, %s: %v", s.Seed, c.name, err)
			}
		}
	}
	far := DefaultRNG(golden.Far[0].Seed)
	for range 20 {
		far.StandardNormal(50000)
		far.Exponential(1, 50000)
	}
	if err := compare(far.Random(2), golden.Far[0].Last, 0); err != nil {
		t.Error("after two million numbers: ", err)
	}
}

func TestShuffleAndChoice(t *testing.T) {
	a := Arange(12).Reshape(6, 2)
	DefaultRNG(3).Shuffle(a)
	if got := fmt.Sprint(Sort(a.At(All, 0)), a.At(All, 1).Sub(a.At(All, 0)).Eq(1).All()); got != "[ 0  2  4  6  8 10] True" {
		t.Errorf("rows do not survive: %v", a)
	}
	if c := DefaultRNG(3).Choice([]float64{1.5, 2.5}, 2, 40); c.Min().Float64() != 1.5 || c.Max().Float64() != 2.5 || c.NDim() != 2 {
		t.Errorf("choice gives %v", c)
	}
	for _, f := range []func(){func() { DefaultRNG(-1) }, func() { DefaultRNG(1).Integers(3, 3) }, func() { DefaultRNG(1).Choice([]int{}) }, func() { DefaultRNG(1).Random(-1) }} {
		if caught(f) == nil {
			t.Error("bad input passes")
		}
	}
}
