package repl

import "testing"

// Where a line's end would be a mistake in Go, Enter says so instead of making one.
func TestCommaMissing(t *testing.T) {
	for src, want := range map[string]bool{
		"f(1": true, "f(1, 2": true, "a[1": true, "[]int{1, 2": true, "x := []int{\n\t1,\n\t2": true, "f(func() {\n}": true, "f(g(1)": true,
		"f(1,": false, "f(": false, "f(1 +": false, "[]int{": false, "[]int{1,": false, "func g() {": false, "if x {\n\ty()": false,
		"f(func() {": false, "f(func() {\n\tg()": false, "type p struct {\n\tX int": false, "func f(a int": true, "func f(a int) (b int": true,
		"import (\n\t\"fmt\"": false, "switch x {\ncase 1": true, "switch x {\ncase 1:": false, "`raw (": false, "/* (": false, "x": false, "": false, "var (\n\tx = 1": false,
	} {
		if got := commaMissing(src) != ""; got != want {
			t.Errorf("%q: %v (%s), want %v", src, got, commaMissing(src), want)
		}
	}
}
