package interp

import (
	"strings"
	"testing"
)

// TestOneFunction: a declared function is one value wherever it is mentioned, as in Go: reflect and unsafe see that.
func TestOneFunction(t *testing.T) {
	r := newRecorder(t, Options{})
	for i, c := range []struct{ src, want string }{
		{`func word(f any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&f))[1] }
func g(x int) int { return x + 1 }
func h(x int) int { return x + 2 }
func a() uintptr { return word(g) }
func b() uintptr { return word(g) }
func c() uintptr { return word(h) }
a() == b(), a() == a(), a() == c()`, "true true false"},
		{"x := a()\nruntime.GC()\n(*(*func(int) int)(unsafe.Pointer(&struct{ uintptr }{x})))(4)", "5"},
		{"func p() uintptr { return reflect.ValueOf(g).Pointer() }\nreflect.ValueOf(g).Pointer() == p()", "true"},
		{"func one() any { return strings.ToUpper }\none().(func(string) string)(`a`)", "A"},
	} {
		if got := strings.TrimSpace(r.Run(i+1, c.src)); got != c.want {
			t.Errorf("%s\n%s, not %s", c.src, got, c.want)
		}
	}
}
