package gosrc

import (
	"go/format"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const summed = `package p

import m "math"

const (
	a = iota
	b
)

type V struct { x, y float64 }

func (v V) norm() float64 { return m.Sqrt(v.x*v.x+v.y*v.y) }

type W struct{ n int }

func (w W) other() int { return w.n }

func helper(v V) float64 { return v.norm()*0X1P3 + b }

func kernel(out []float64, v V) {
	out[0] = helper(v,
	)
}

func unused() { f(func(x int) int { return x + a }) }

func f(func(int) int) {}
`

func sumOf(t *testing.T, src, name string) string {
	t.Helper()
	text, err := ReadText(map[string][]byte{"p.go": []byte(src)})
	require.NoError(t, err)
	sum, ok := text.Sum(name)
	require.True(t, ok, name)
	return sum
}

// TestSums: a function's sum changes with all that it may use, and with nothing else.
func TestSums(t *testing.T) {
	formatted, err := format.Source([]byte(summed))
	require.NoError(t, err)
	require.NotEqual(t, summed, string(formatted))
	want := sumOf(t, summed, "kernel")
	assert.Equal(t, want, sumOf(t, string(formatted), "kernel"), "gofmt")
	for _, change := range [][2]string{
		{"package p\n", "package p\n\n// A comment.\n"}, {"func kernel", "/* here */ func kernel"}, {"return w.n", "return w.n + 1"},
		{"func unused() { f(", "func unused() { g := 2; _ = g; f("}, {"out[0] = ", "out[0] = /* first */\n"},
	} {
		require.Contains(t, summed, change[0])
		assert.Equal(t, want, sumOf(t, strings.Replace(summed, change[0], change[1], 1), "kernel"), change[1])
	}
	for _, change := range [][2]string{
		{"out[0] =", "out[1] ="}, {"+ b }", "- b }"}, {"\ta = iota", "\ta = iota + 1"}, {"x, y float64", "x, y float32"}, {"v.x*v.x+v.y*v.y", "v.x*v.x-v.y*v.y"},
		{`m "math"`, `m "example.org/math"`}, {"0X1P3", "0X1P4"},
	} {
		require.Contains(t, summed, change[0])
		assert.NotEqual(t, want, sumOf(t, strings.Replace(summed, change[0], change[1], 1), "kernel"), change[1])
	}
	literal := sumOf(t, summed, "p.go:25")
	assert.Equal(t, literal, sumOf(t, strings.Replace(summed, "func kernel", "\n\nfunc kernel", 1), "p.go:27"), "a literal that has moved")
	assert.NotEqual(t, literal, sumOf(t, strings.Replace(summed, "x + a", "x - a", 1), "p.go:25"))
}
