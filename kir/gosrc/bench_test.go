package gosrc

import (
	"go/types"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// BenchmarkCompile compiles a kernel of 30 lines and makes it ready to run: the bar is 2 ms.
func BenchmarkCompile(b *testing.B) {
	src, pkg := parse(b, `
func kernel(a, b, c []float32, n int, limit float32) {
	var as, bs [4]float32
	row, col := n%7, n/7
	var sum float32
	for k := 0; k < n; k += 4 {
		for i := range 4 {
			as[i] = a[row*n+k+i]
			bs[i] = b[(k+i)*n+col]
		}
		for i, x := range as {
			sum += x * bs[i]
		}
		switch {
		case sum > limit:
			sum = limit
		case sum < -limit:
			sum = -limit
		}
	}
	if row < n && col < n {
		c[row*n+col] = clamp(sum, limit)
	}
}
func clamp(x, limit float32) float32 {
	if x > limit {
		return limit
	}
	return max(x, -limit)
}
`)
	fn := pkg.Scope().Lookup("kernel").(*types.Func)
	for b.Loop() {
		k, err := Compile(src, fn, nil, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := cpu.Compile(k.Func); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSource is the part of it that makes kir of Go.
func BenchmarkSource(b *testing.B) {
	src, pkg := parse(b, "func kernel(x, y []float32, a float32) {\n\tfor i := range y {\n\t\ty[i] += a * x[i]\n\t}\n}")
	fn := pkg.Scope().Lookup("kernel").(*types.Func)
	for b.Loop() {
		if _, err := Compile(src, fn, nil, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
