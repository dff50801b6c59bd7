package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// want is what the program prints, by plain Go.
func want() string {
	var s strings.Builder
	var sum float32
	for i := range 1000 {
		y := float32(1)
		y += 2 * float32(i)
		sum += y
	}
	fmt.Fprintf(&s, "saxpy %.0f\n", sum)
	ints, floats := []int32{3, 6, 9}, []float64{0.5, 1, 1.5}
	fmt.Fprintln(&s, "scale", ints, floats)
	bodies := []Body{{X: 0.5, V: 1}, {X: 0, V: 0.25}}
	for range 3 {
		for i := range bodies {
			bodies[i].step(0.5)
		}
	}
	fmt.Fprintln(&s, "move", bodies)
	fmt.Fprintln(&s, "reverse [4 3 2 1 8 7 6 5]\nthread 0 has 4\nthread 1 has 3")
	most := 0
	for n := 1; n < 1000; n++ {
		most = max(most, collatz(n))
	}
	fmt.Fprintf(&s, "collatz %d\nmost %d\n", most, most)
	return s.String()
}

// TestProgram builds the program as anyone would and compares what it prints on two devices with plain Go.
func TestProgram(t *testing.T) {
	testsize.InTurn(t, 2)
	exe := filepath.Join(t.TempDir(), "example")
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, device := range []string{"host", "sim:tiny"} {
		out, err := exec.Command(exe, "-device", device, "-beyond").CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", device, err, out)
		}
		got := strings.Replace(string(out), "1e+06", "1000000", 1)
		if w := want(); !strings.HasPrefix(got, w) {
			t.Errorf("%s printed\n%s\nwant first\n%s", device, got, w)
		}
		for _, w := range []string{
			"saxpy, grid (4), block (256): nothing found", "emulated [9 18 27]",
			"main.go:49:46: kernel move: thread (2) of block (0), bodies[gpu.GlobalID()]: index 2 is out of range: the length is 2",
		} {
			if !strings.Contains(got, w) {
				t.Errorf("%s printed\n%s\nwithout %q", device, got, w)
			}
		}
	}
}

// TestStaleKernels: a program whose kernels have changed since go generate ran says so and launches nothing; one in
// which something else has changed runs; and one without the generated file says what is missing.
func TestStaleKernels(t *testing.T) {
	for i, c := range []struct {
		name    string
		prepare func(dir string) error
		want    string
	}{
		{"changed", func(dir string) error {
			text, err := os.ReadFile("main.go")
			if err != nil {
				return err
			}
			text = []byte(strings.Replace(string(text), "y[i] += a * x[i]", "y[i] -= a * x[i]", 1))
			if err := os.WriteFile(filepath.Join(dir, "main.go"), text, 0o666); err != nil {
				return err
			}
			return link(dir, "zz_kernels.go")
		}, "main.saxpy, or what it uses, has changed since it was compiled: run go generate"},
		{"moved", func(dir string) error { // a comment, other spaces and another function: the same kernels in other lines
			text, err := os.ReadFile("main.go")
			if err != nil {
				return err
			}
			moved := strings.Replace(string(text), "func main() {", "// other is new.\nfunc other() int { return 1 }\n\nfunc main() {\n\n\n_ = other()\n", 1)
			moved = strings.NewReplacer("y[i] += a * x[i]", "y[ i ]  +=  a*x[i] // here", "s := gpu.Shared", "// turned\n\ts := gpu.Shared").Replace(moved)
			if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(moved), 0o666); err != nil {
				return err
			}
			return link(dir, "zz_kernels.go")
		}, ""},
		{"without", func(dir string) error { return link(dir, "main.go") }, "the source of main.saxpy is not known: in a cell"},
	} {
		if !testsize.Part(i, 3) { // each links a program
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			dir, err := os.MkdirTemp(".", "_") // in this module, where ./... does not look
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			if err := c.prepare(dir); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("go", "run", "./"+dir, "-device", "host").CombinedOutput()
			if c.want == "" {
				if err != nil || !strings.HasPrefix(strings.Replace(string(out), "1e+06", "1000000", 1), want()) {
					t.Errorf("%v\n%s", err, out)
				}
				return
			}
			if err == nil || !strings.Contains(string(out), c.want) {
				t.Errorf("%v\n%s\nwant %q", err, out, c.want)
			}
		})
	}
}

func link(dir, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), text, 0o666)
}
