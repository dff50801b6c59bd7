package arrays

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// distributions calls the methods by NumPy's names. Arguments are numbers and lists of them.
var distributions = map[string]func(r *RNG, a []any, size ...int) *Array{
	"random": func(r *RNG, a []any, size ...int) *Array { return r.Random(size...) },
	"integers": func(r *RNG, a []any, size ...int) *Array {
		return r.Integers(int(a[0].(float64)), int(a[1].(float64)), size...)
	},
	"uniform":              func(r *RNG, a []any, size ...int) *Array { return r.Uniform(a[0], a[1], size...) },
	"normal":               func(r *RNG, a []any, size ...int) *Array { return r.Normal(a[0], a[1], size...) },
	"lognormal":            func(r *RNG, a []any, size ...int) *Array { return r.LogNormal(a[0], a[1], size...) },
	"exponential":          func(r *RNG, a []any, size ...int) *Array { return r.Exponential(a[0], size...) },
	"gamma":                func(r *RNG, a []any, size ...int) *Array { return r.Gamma(a[0], a[1], size...) },
	"chisquare":            func(r *RNG, a []any, size ...int) *Array { return r.ChiSquare(a[0], size...) },
	"beta":                 func(r *RNG, a []any, size ...int) *Array { return r.Beta(a[0], a[1], size...) },
	"standard_t":           func(r *RNG, a []any, size ...int) *Array { return r.StandardT(a[0], size...) },
	"standard_cauchy":      func(r *RNG, a []any, size ...int) *Array { return r.StandardCauchy(size...) },
	"laplace":              func(r *RNG, a []any, size ...int) *Array { return r.Laplace(a[0], a[1], size...) },
	"logistic":             func(r *RNG, a []any, size ...int) *Array { return r.Logistic(a[0], a[1], size...) },
	"gumbel":               func(r *RNG, a []any, size ...int) *Array { return r.Gumbel(a[0], a[1], size...) },
	"weibull":              func(r *RNG, a []any, size ...int) *Array { return r.Weibull(a[0], size...) },
	"pareto":               func(r *RNG, a []any, size ...int) *Array { return r.Pareto(a[0], size...) },
	"power":                func(r *RNG, a []any, size ...int) *Array { return r.Power(a[0], size...) },
	"rayleigh":             func(r *RNG, a []any, size ...int) *Array { return r.Rayleigh(a[0], size...) },
	"triangular":           func(r *RNG, a []any, size ...int) *Array { return r.Triangular(a[0], a[1], a[2], size...) },
	"poisson":              func(r *RNG, a []any, size ...int) *Array { return r.Poisson(a[0], size...) },
	"binomial":             func(r *RNG, a []any, size ...int) *Array { return r.Binomial(a[0], a[1], size...) },
	"negative_binomial":    func(r *RNG, a []any, size ...int) *Array { return r.NegativeBinomial(a[0], a[1], size...) },
	"geometric":            func(r *RNG, a []any, size ...int) *Array { return r.Geometric(a[0], size...) },
	"standard_gamma":       func(r *RNG, a []any, size ...int) *Array { return r.StandardGamma(a[0], size...) },
	"standard_exponential": func(r *RNG, a []any, size ...int) *Array { return r.StandardExponential(size...) },
	"f":                    func(r *RNG, a []any, size ...int) *Array { return r.F(a[0], a[1], size...) },
	"noncentral_f":         func(r *RNG, a []any, size ...int) *Array { return r.NoncentralF(a[0], a[1], a[2], size...) },
	"noncentral_chisquare": func(r *RNG, a []any, size ...int) *Array { return r.NoncentralChiSquare(a[0], a[1], size...) },
	"wald":                 func(r *RNG, a []any, size ...int) *Array { return r.Wald(a[0], a[1], size...) },
	"vonmises":             func(r *RNG, a []any, size ...int) *Array { return r.VonMises(a[0], a[1], size...) },
	"logseries":            func(r *RNG, a []any, size ...int) *Array { return r.LogSeries(a[0], size...) },
	"zipf":                 func(r *RNG, a []any, size ...int) *Array { return r.Zipf(a[0], size...) },
	"hypergeometric":       func(r *RNG, a []any, size ...int) *Array { return r.Hypergeometric(a[0], a[1], a[2], size...) },
	"multinomial":          func(r *RNG, a []any, size ...int) *Array { return r.Multinomial(int(a[0].(float64)), a[1], size...) },
	"dirichlet":            func(r *RNG, a []any, size ...int) *Array { return r.Dirichlet(a[0], size...) },
	"multivariate_normal": func(r *RNG, a []any, size ...int) *Array {
		return r.MultivariateNormal(a[0], a[1], size...)
	},
}

// floats makes an array of the lists that JSON has.
func floats(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	if _, nested := list[0].([]any); nested {
		rows := make([]any, len(list))
		for i, x := range list {
			rows[i] = floats(x)
		}
		return Stack(0, rows...)
	}
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = x.(float64)
	}
	return FromSlice(out)
}

// TestDistributionsAsNumPy: numbers of each, the sum of many more, and how far the stream is after them.
func TestDistributionsAsNumPy(t *testing.T) {
	var golden struct {
		Cases []struct {
			Method, Generator string
			Args              []any
			Size              []int
			Out, Last         goldenValue
			Sum               float64
			Many              int
			More              struct {
				Replace *bool
				P       []float64
			}
		}
	}
	readGolden(t, "distributions.json", &golden)
	if len(golden.Cases) < 70 {
		t.Fatal(len(golden.Cases))
	}
	for _, c := range golden.Cases {
		name := fmt.Sprint(c.Method, c.Args, c.Size, c.Generator, c.More.Replace != nil, c.More.P)
		for i, a := range c.Args {
			c.Args[i] = floats(a)
		}
		r := DefaultRNG(11)
		if c.Generator == "philox" {
			r = PhiloxRNG(11)
		}
		draw := func(size ...int) *Array { return distributions[c.Method](r, c.Args, size...) }
		if c.Method == "choice" {
			x := c.Args[0]
			if n, whole := x.(float64); whole {
				x = int(n)
			}
			switch again := c.More.Replace == nil; {
			case again && c.More.P == nil:
				draw = func(size ...int) *Array { return r.Choice(x, size...) }
			case again:
				draw = func(size ...int) *Array { return r.WeightedChoice(x, c.More.P, size...) }
			case c.More.P == nil:
				draw = func(size ...int) *Array { return r.Sample(x, size[0]) }
			default:
				draw = func(size ...int) *Array { return r.WeightedSample(x, c.More.P, size[0]) }
			}
		}
		if err := compare(draw(c.Size...), c.Out, 1<<14); err != nil { // normal numbers differ in 10^13, see RNG
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Many > 0 {
			if sum := draw(c.Many).AsType(Float64).Sum().Float64(); math.Abs(sum-c.Sum) > 1e-9*math.Abs(c.Sum)+1e-9 {
				t.Errorf("%s: %d more add up to %v, NumPy's to %v", name, c.Many, sum, c.Sum)
			}
		}
		if err := compare(r.Random(1), c.Last, 0); err != nil {
			t.Errorf("%s: the stream is elsewhere afterwards: %v", name, err)
		}
	}
}

func TestWhatDistributionsRefuse(t *testing.T) {
	r := DefaultRNG(1)
	for want, f := range map[string]func(){
		"normal: the standard deviation is -1; it must be 0 or more":                                             func() { r.Normal(0, -1) },
		"normal: the mean is NaN; it must be a number":                                                           func() { r.Normal([]float64{1, math.NaN()}, 1) },
		"normal: the parameters have shape (3,), which does not broadcast to (2,)":                               func() { r.Normal([]int{1, 2, 3}, 1, 2) },
		"normal: the mean is an array of complex128; it must be real numbers":                                    func() { r.Normal(1i, 1) },
		"normal: shapes (3,) and (2,) do not broadcast":                                                          func() { r.Normal([]int{1, 2, 3}, []int{1, 2}) },
		"gamma: k is -2; it must be 0 or more":                                                                   func() { r.Gamma(-2, 1) },
		"poisson: lam is -1; it must be from 0 to 9.2e18":                                                        func() { r.Poisson(-1) },
		"poisson: lam is 1e+20; it must be":                                                                      func() { r.Poisson(1e20) },
		"binomial: p is 1.5; it must be from 0 to 1":                                                             func() { r.Binomial(3, 1.5) },
		"binomial: n is 2.5; it must be a whole number":                                                          func() { r.Binomial(2.5, 0.5) },
		"geometric: p is 0; it must be above 0 and at most 1":                                                    func() { r.Geometric(0) },
		"uniform: there are no numbers from 2 up to 1":                                                           func() { r.Uniform(2, 1) },
		"uniform: there are no numbers from 0 up to +Inf":                                                        func() { r.Uniform(0, math.Inf(1)) },
		"triangular: left 1, mode 0 and right 2 are not in order":                                                func() { r.Triangular(1, 0, 2) },
		"multinomial: n is -1; it must be 0 or more":                                                             func() { r.Multinomial(-1, []float64{1}) },
		"multinomial: the probabilities but the last add up to 1.2, which is more than 1":                        func() { r.Multinomial(1, []float64{0.6, 0.6, 0.1}) },
		"dirichlet: alpha is 0; it must be above 0":                                                              func() { r.Dirichlet([]float64{1, 0}) },
		"dirichlet: alpha has shape (); it must be a 1-D array of numbers":                                       func() { r.Dirichlet(1) },
		"multivariate_normal: the covariance is not positive definite":                                           func() { r.MultivariateNormal([]int{0, 0}, [][]float64{{1, 2}, {2, 1}}) },
		"multivariate_normal: the covariance is not symmetric: 0 at [1,0] and 2 at [0,1]":                        func() { r.MultivariateNormal([]int{0, 0}, [][]float64{{1, 2}, {0, 1}}) },
		"multivariate_normal: the mean has 2 numbers and the covariance shape (1,1)":                             func() { r.MultivariateNormal([]int{0, 0}, [][]float64{{1}}) },
		"choice: 4 of 3 elements cannot be drawn without putting them back":                                      func() { r.Sample(3, 4) },
		"choice: there are 3 elements and 2 probabilities":                                                       func() { r.WeightedChoice(3, []float64{0.5, 0.5}) },
		"choice: the probabilities add up to 0.5 and not to 1; divide them by their sum":                         func() { r.WeightedChoice(2, []float64{0.25, 0.25}) },
		"choice: 2 elements are asked for, and 1 have a probability above 0":                                     func() { r.WeightedSample(2, []float64{1, 0}, 2) },
		"choice: there is nothing to choose from 0; give a 1-D array with elements":                              func() { r.Choice(0) },
		"choice: there is nothing to choose from -3; give a 1-D array with elements, or how many ints from 0 on": func() { r.Sample(-3, 0) },
		"zipf: a is 1; it must be above 1":                                                                       func() { r.Zipf(1) },
		"logseries: p is 1; it must be from 0 up to 1":                                                           func() { r.LogSeries(1) },
		"hypergeometric: 9 things cannot be drawn from 3 good and 5":                                             func() { r.Hypergeometric(3, 5, 9) },
		"vonmises: kappa is -1; it must be 0 or more":                                                            func() { r.VonMises(0, -1) },
		"spawn: -1 generators cannot be spawned":                                                                 func() { r.Spawn(-1) },
		"bytes: -1 bytes cannot be drawn":                                                                        func() { r.Bytes(-1) },
		"philox: the seed -1 is negative":                                                                        func() { PhiloxRNG(-1) },
	} {
		if err := caught(f); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestSpawnedBytesAndPermutedAsNumPy: children of children, bytes of lengths that are not multiples of a word, lines in
// orders of their own.
func TestSpawnedBytesAndPermutedAsNumPy(t *testing.T) {
	var golden struct {
		Spawned []struct {
			Generator string
			Seed      int
			Path      []int
			Out       goldenValue
		}
		Bytes []struct {
			N   int
			Out goldenValue
		}
		Permuted []struct {
			Axis *int
			Out  goldenValue
		}
	}
	readGolden(t, "spawned.json", &golden)
	for _, c := range golden.Spawned {
		r := DefaultRNG(c.Seed)
		if c.Generator == "philox" {
			r = PhiloxRNG(c.Seed)
		}
		for _, i := range c.Path {
			r.Spawn(1)
			r = r.Spawn(i + 1)[i]
		}
		if err := compare(r.Random(3), c.Out, 0); err != nil {
			t.Errorf("%s %d %v: %v", c.Generator, c.Seed, c.Path, err)
		}
	}
	r := DefaultRNG(5)
	for _, c := range golden.Bytes {
		if err := compare(FromSlice(r.Bytes(c.N)), c.Out, 0); err != nil {
			t.Errorf("%d bytes: %v", c.N, err)
		}
	}
	x := Arange(24).Reshape(2, 3, 4)
	for _, c := range golden.Permuted {
		var axis []AxisOption
		if c.Axis != nil {
			axis = append(axis, *c.Axis)
		}
		if err := compare(r.Permuted(x, axis...), c.Out, 0); err != nil {
			t.Errorf("axis %v: %v", axis, err)
		}
	}
	if len(golden.Spawned)*len(golden.Bytes)*len(golden.Permuted) == 0 {
		t.Error("there are no cases")
	}
}
