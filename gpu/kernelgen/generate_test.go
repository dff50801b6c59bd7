package main

import (
	"bytes"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestExampleIsUpToDate: the file of the example is what this step writes now.
func TestExampleIsUpToDate(t *testing.T) {
	dir := filepath.Join("..", "example")
	got, err := generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(filepath.Join(dir, output)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: go generate ./gpu/example", err)
	}
}

// TestErrors: what cannot be compiled is said with its place when go generate runs. A short test has a third of the
// programs, each turn another.
func TestErrors(t *testing.T) {
	for i, c := range [][2]string{
		{`func k(x []int) { m := map[int]int{}; m[0] = 1 }; func f() { gpu.Launch(k, 1, 1, nil) }`, "main.go:3:24: kernel code cannot use maps"},
		{`var v []int; func k(x []int) { x[0] = v[0] }; func f() { gpu.Launch(k, 1, 1, nil) }`, "main.go:3:39: kernel code cannot use the variable v"},
		{`func k(x []int) { x[0] = gpu.V }; func f() { gpu.Launch(k, 1, 1, nil) }`, "V"},
		{`func f() { n := 3; gpu.Launch(func(x []int) { x[0] = n }, 1, 1, nil) }`, "main.go:3:54: a function that runs on a device cannot use the variable n"},
		{`func f() { k := func(x []int) { m := map[int]int{}; m[0] = 1 }; gpu.Launch(k, 1, 1, nil) }`, "main.go:3:38: kernel code cannot use maps"},
		{`func f() { gpu.Launch(strings.ToUpper, 1, 1); _ = strings.ToUpper }`, "strings.ToUpper is in another package: write //gpu:kernel above it"},
		{`func f() { gpu.Launch(func(x []int) {}, 1, 1, nil); gpu.Launch(func(x []int) {x[0]++}, 1, 1, nil) }`, "two function literals begin in one line"},
		{`func k(x []int) int { return 1 }; func f() { gpu.Launch(k, 1, 1, nil) }`, "a kernel has no result"},
		{`func f() { var _ gpu.Dim }`, "gives no function to gpu.Launch"},
		{`func f() { gpu.Launch(1 + "a", 1, 1) }`, "main.go:3:23"},
	} {
		if !testsize.Part(i, 3) {
			continue
		}
		body, want := c[0], c[1]
		dir, err := os.MkdirTemp(".", "_")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		imports := `import "github.com/arrayrepl/arrayrepl/gpu"`
		if strings.Contains(body, "strings.") {
			imports += `; import "strings"`
		}
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package p\n"+imports+"\n"+body+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := generate(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v\nwant %q", body, err, want)
		}
	}
}

// TestDirected: go generate ./... comes to a program before the packages below it, whose kernels are then not yet
// compiled.
func TestDirected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k.go")
	require.NoError(t, os.WriteFile(path, []byte("package k\n\n//gpu:kernel\n// Add adds.\nfunc Add() {}\n\nfunc Other() {}\n"), 0o600))
	require.True(t, directed(token.Position{Filename: path, Line: 5}))
	require.False(t, directed(token.Position{Filename: path, Line: 7}))
	require.False(t, directed(token.Position{Filename: path + "not", Line: 7}))
}

// TestVariables: a program's kernels use its package's variables.
func TestVariables(t *testing.T) {
	testsize.InTurn(t, 0)
	dir, err := os.MkdirTemp(".", "_")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("main.go", `package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/gpu"
)

var hits, limit int32 = 0, 3

func count(x []int32) {
	if x[gpu.GlobalID()] > limit {
		gpu.AtomicAdd(&hits, 1)
	}
}

func main() {
	x := []int32{1, 5, 3, 4, 9, 2, 3, 7}
	gpu.Launch(count, 2, 4, x)
	fmt.Println(hits)
	limit = 8
	gpu.Launch(count, 2, 4, x)
	gpu.CopyTo(&limit, 0)
	gpu.Launch(count, 2, 4, x)
	fmt.Println(hits, gpu.CopyFrom(&hits), gpu.CopyFrom(&limit))
}
`)
	text, err := generate(dir)
	require.NoError(t, err)
	write(output, string(text))
	out, err := exec.Command("go", "run", "./"+filepath.Base(dir)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "4\n13 13 0\n", string(out)) // 5, 4, 9 and 7; 9; all eight
}

// TestLaunchesFromKernels: kernels that kernels launch are compiled with these, and found when the program runs.
func TestLaunchesFromKernels(t *testing.T) {
	testsize.InTurn(t, 2)
	dir, err := os.MkdirTemp(".", "_")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("main.go", `package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/gpu"
)

func add(x []int32, n int32) { gpu.AtomicAdd(&x[gpu.GlobalID()], n) }

func halves(x []int32, n int32) {
	if gpu.GlobalID() > 0 {
		return
	}
	gpu.FireAndForget(add, 1, len(x), x, n)
	if len(x) > 1 {
		gpu.TailLaunch(halves, 1, 32, x[len(x)/2:], n+1)
	}
}

func main() {
	x := make([]int32, 8)
	gpu.Launch(halves, 1, 32, x, 1)
	fmt.Println(x)
	gpu.Emulate(halves, 1, 32, x, 1)
	fmt.Println(x)
}
`)
	text, err := generate(dir)
	require.NoError(t, err)
	write(output, string(text))
	out, err := exec.Command("go", "run", "./"+filepath.Base(dir)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "[1 1 1 1 3 3 6 10]\n[2 2 2 2 6 6 12 20]\n", string(out))
}

// TestKernelsOfOtherPackages: a kernel with the line //gpu:kernel is compiled where it is declared, and launched from a
// package that has no copy of it.
func TestKernelsOfOtherPackages(t *testing.T) {
	testsize.InTurn(t, 1)
	dir, err := os.MkdirTemp(".", "_")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("kern/kern.go", `package kern

import "github.com/arrayrepl/arrayrepl/gpu"

// Double is x *= 2.
//
//gpu:kernel
func Double(x []float64) {
	if i := gpu.GlobalID(); i < len(x) {
		x[i] *= 2
	}
}
`)
	write("main.go", `package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernelgen/`+filepath.Base(dir)+`/kern"
)

func half(x []float64) { x[gpu.GlobalID()] /= 4 }

func main() {
	x := []float64{1, 2, 3}
	gpu.Launch(kern.Double, 1, 32, x)
	gpu.Launch(half, 1, 3, x)
	fmt.Println(x)
}
`)
	for _, name := range []string{".", "kern"} { // in the order of go generate ./...
		text, err := generate(filepath.Join(dir, name))
		require.NoError(t, err)
		write(filepath.Join(name, output), string(text))
	}
	out, err := exec.Command("go", "run", "./"+filepath.Base(dir)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "[0.5 1 1.5]\n", string(out))
}
