package main

import np "github.com/arrayrepl/arrayrepl/arrays"

// intoRows write into an array that was made before, as NumPy does with out=.
var intoRows = []row{
	{"add into", lengths, into(func(z, x, y *np.Array) { np.Into(z).Add(x, y) })},
	{"mul into", lengths, into(func(z, x, y *np.Array) { np.Into(z).Mul(x, y) })},
	{"div into", lengths, into(func(z, x, y *np.Array) { np.Into(z).Div(x, y) })},
	{"maximum into", lengths, into(func(z, x, y *np.Array) { np.Into(z).Maximum(x, y) })},
	{"exp into", lengths, into(func(z, x, y *np.Array) { np.Into(z).Exp(x) })},
	{"log into", lengths, into(func(z, x, y *np.Array) { np.Into(z).Log(x) })},
	{"pow into", lengths, into(func(z, x, y *np.Array) { np.Into(z).Pow(x, y) })},
	{"add float32 into", lengths, narrowInto(func(z, x, y *np.Array) { np.Into(z).Add(x, y) })},
	{"exp float32 into", lengths, narrowInto(func(z, x, y *np.Array) { np.Into(z).Exp(x) })},
	{"concat into", lengths, func(n int) func() {
		z := np.Zeros(2 * n)
		return two(func(x, y *np.Array) { np.Into(z).Concat(0, x, y) })(n)
	}},
	{"take into", lengths, func(n int) func() {
		z := np.Zeros(n)
		return numbered(0, func(x, y *np.Array) { np.Into(z).Take(x, y) })(n)
	}},
	{"cumsum into", lengths, into(func(z, x, y *np.Array) { np.Into(z).CumSum(x) })},
}

// into is two with an array for the result.
func into(f func(z, x, y *np.Array)) func(int) func() {
	return func(n int) func() {
		z := np.Zeros(n)
		return two(func(x, y *np.Array) { f(z, x, y) })(n)
	}
}

// narrowInto is into in float32.
func narrowInto(f func(z, x, y *np.Array)) func(int) func() {
	return func(n int) func() {
		z := np.New(np.Float32, n)
		return narrow(func(x, y *np.Array) { f(z, x, y) })(n)
	}
}
