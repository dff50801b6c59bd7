package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	session "github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// numeric is a numeric program in Go, with a function run(), and in Python.
type numeric struct {
	name, bar string
	golang    string
	python    string
}

var loops = []numeric{
	{"1e7 float additions", "200ms", `func run() float64 { s := 0.0; for i := 0; i < 10000000; i++ { s += 1.5 }; return s }`,
		"def run():\n s = 0.0\n for i in range(10000000): s += 1.5\n return s"},
	{"fib(30)", "90ms", `func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func run() float64 { return float64(fib(30)) }`,
		"def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)\ndef run(): return fib(30)"},
	{"sum of a slice, 1.1e7", "350ms", `var xs = make([]float64, 1100000)
func run() float64 { s := 0.0; for k := 0; k < 10; k++ { for _, x := range xs { s += x } }; return s }`,
		"xs = [0.0]*1100000\ndef run():\n s = 0.0\n for k in range(10):\n  for x in xs: s += x\n return s"},
	{"1e6 math.Sqrt", "40ms", `func run() float64 { s := 0.0; for i := 0; i < 1000000; i++ { s += math.Sqrt(float64(i)) }; return s }`,
		"import math\ndef run():\n s = 0.0\n for i in range(1000000): s += math.sqrt(i)\n return s"},
	{"Mandelbrot 400x300x100", "CPython", `func run() float64 {
	n := 0
	for y := 0; y < 300; y++ {
		for x := 0; x < 400; x++ {
			cr, ci := float64(x)/400*3-2, float64(y)/300*2-1
			zr, zi := 0.0, 0.0
			k := 0
			for ; k < 100 && zr*zr+zi*zi < 4; k++ {
				zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
			}
			n += k
		}
	}
	return float64(n)
}`, `def run():
 n = 0
 for y in range(300):
  for x in range(400):
   cr, ci = x/400*3-2, y/300*2-1
   zr = zi = 0.0
   k = 0
   while k < 100 and zr*zr+zi*zi < 4:
    zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
    k += 1
   n += k
 return n`},
	{"n-body, 5 bodies, 1e5 steps", "CPython", `type body struct{ x, y, z, vx, vy, vz, m float64 }
func run() float64 {
	bs := []body{{0, 0, 0, 0, 0, 0, 39}, {4.8, -1.1, -0.1, 0.6, 2.8, -0.02, 0.03}, {8.3, 4.1, -0.4, -1.0, 1.8, 0.008, 0.01}, {12.8, -15.1, -0.2, 1.0, 0.8, -0.01, 0.001}, {15.3, -25.9, 0.1, 0.9, 0.5, -0.03, 0.002}}
	for s := 0; s < 100000; s++ {
		for i := 0; i < len(bs); i++ {
			a := &bs[i]
			for j := i + 1; j < len(bs); j++ {
				b := &bs[j]
				dx, dy, dz := a.x-b.x, a.y-b.y, a.z-b.z
				d := dx*dx + dy*dy + dz*dz
				f := 0.001 / (d * math.Sqrt(d))
				a.vx -= dx * b.m * f
				a.vy -= dy * b.m * f
				a.vz -= dz * b.m * f
				b.vx += dx * a.m * f
				b.vy += dy * a.m * f
				b.vz += dz * a.m * f
			}
		}
		for i := 0; i < len(bs); i++ {
			b := &bs[i]
			b.x += 0.001 * b.vx
			b.y += 0.001 * b.vy
			b.z += 0.001 * b.vz
		}
	}
	return bs[0].x
}`, `import math
def run():
 bs = [[0, 0, 0, 0, 0, 0, 39], [4.8, -1.1, -0.1, 0.6, 2.8, -0.02, 0.03], [8.3, 4.1, -0.4, -1.0, 1.8, 0.008, 0.01], [12.8, -15.1, -0.2, 1.0, 0.8, -0.01, 0.001], [15.3, -25.9, 0.1, 0.9, 0.5, -0.03, 0.002]]
 for s in range(100000):
  for i in range(len(bs)):
   a = bs[i]
   for j in range(i+1, len(bs)):
    b = bs[j]
    dx, dy, dz = a[0]-b[0], a[1]-b[1], a[2]-b[2]
    d = dx*dx + dy*dy + dz*dz
    f = 0.001 / (d * math.sqrt(d))
    a[3] -= dx * b[6] * f
    a[4] -= dy * b[6] * f
    a[5] -= dz * b[6] * f
    b[3] += dx * a[6] * f
    b[4] += dy * a[6] * f
    b[5] += dz * a[6] * f
  for b in bs:
   b[0] += 0.001 * b[3]
   b[1] += 0.001 * b[4]
   b[2] += 0.001 * b[5]
 return bs[0][0]`},
	{"sieve to 1e7", "CPython", `func run() float64 {
	n := 10000000
	c := make([]bool, n+1)
	k := 0
	for i := 2; i <= n; i++ {
		if !c[i] {
			k++
			for j := i * i; j <= n; j += i {
				c[j] = true
			}
		}
	}
	return float64(k)
}`, `def run():
 n = 10000000
 c = bytearray(n+1)
 k = 0
 for i in range(2, n+1):
  if not c[i]:
   k += 1
   for j in range(i*i, n+1, i): c[j] = 1
 return k`},
	{"naive matrix product, 200", "CPython", `func matrix(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			m[i][j] = float64(i * j % 7)
		}
	}
	return m
}
func run() float64 {
	n := 200
	a, b, c := matrix(n), matrix(n), matrix(n)
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			s := 0.0
			for k := 0; k < n; k++ {
				s += a[i][k] * b[k][j]
			}
			c[i][j] = s
		}
	}
	return c[3][5]
}`, `def matrix(n): return [[float(i*j%7) for j in range(n)] for i in range(n)]
def run():
 n = 200
 a, b, c = matrix(n), matrix(n), matrix(n)
 for i in range(n):
  for j in range(n):
   s = 0.0
   for k in range(n): s += a[i][k] * b[k][j]
   c[i][j] = s
 return c[3][5]`},
}

// goTimes is a main function that prints how long run takes.
const goTimes = "\nfunc main() { start := time.Now(); v := run(); fmt.Println(time.Since(start).Seconds(), v) }\n"

// numbers runs the loops in a cell, with and without the numeric tier, and elsewhere. With gomacro, the path of its
// command.
func numbers(row func(what, figure, bar string), gomacro string) {
	dir, err := os.MkdirTemp("", "loops")
	check(err)
	defer os.RemoveAll(dir)
	for _, l := range loops {
		src := "package main\nimport (\"fmt\"; \"time\"; \"math\")\nvar _ = math.Pi\n" + l.golang + goTimes
		file := filepath.Join(dir, "main.go")
		check(os.WriteFile(file, []byte(src), 0o644))
		bin := filepath.Join(dir, "loop")
		out, err := exec.Command("go", "build", "-o", bin, file).CombinedOutput()
		if err != nil {
			check(fmt.Errorf("%w: %s", err, out))
		}
		py := filepath.Join(dir, "loop.py")
		check(os.WriteFile(py, []byte(l.python+"\nimport time\nstart = time.perf_counter()\nv = run()\nprint(time.perf_counter()-start, v)\n"), 0o644))
		macro := filepath.Join(dir, "loop.gomacro")
		check(os.WriteFile(macro, []byte("import (\"fmt\"; \"time\"; \"math\")\n"+l.golang+"\n{ start := time.Now(); v := run(); fmt.Println(time.Since(start).Seconds(), v, math.Pi) }\n"), 0o644))
		ways := []struct {
			name string
			runs int
			time func() time.Duration
		}{
			{"tier", 3, inCell(l.golang, session.TierOn)},
			{"ixgo", 1, inCell(l.golang, session.TierOff)},
			{"CPython", 3, printed("python3", py)},
			{"yaegi", 1, inYaegi(l.golang)},
			{"gomacro", 1, printed(gomacro, macro)},
			{"compiled", 3, printed(bin)},
		}
		var list []string
		for _, w := range ways {
			var all []time.Duration
			for range w.runs {
				if d := w.time(); d > 0 {
					all = append(all, d)
				}
			}
			if len(all) == 0 {
				list = append(list, w.name+" –")
				continue
			}
			list = append(list, fmt.Sprintf("%s %.0f", w.name, middle(all).Seconds()*1e3))
		}
		row(l.name+" (ms)", strings.Join(list, ", "), l.bar)
	}
	off, on := firstCall(session.TierOff), firstCall(session.TierOn)
	row("the first call of a function: without the tier, with it", fmt.Sprint(off, ", ", on), "1ms more")
}

// firstCall is how long a cell takes that calls a function for the first time.
func firstCall(mode string) time.Duration {
	var all []time.Duration
	for range 31 {
		s := newSession()
		check(s.SetTier(mode))
		run(s, "func f(xs []float64) (s float64) { for _, x := range xs { s += x * x }; return }\nxs := []float64{1}")
		run(s, "1 + 1")
		all = append(all, timed(func() { run(s, "f(xs);") }))
	}
	return middle(all)
}

func inCell(src, mode string) func() time.Duration {
	s := inTier(src, mode)
	return func() time.Duration { return timed(func() { run(s, "run();") }) }
}

// inTier returns a session with a numeric tier of that mode that has run src.
func inTier(src, mode string) *session.Session {
	s, err := session.New(session.Options{Packages: symbols.Packages(), Tier: mode})
	check(err)
	run(s, src)
	return s
}

func inYaegi(src string) func() time.Duration {
	return func() time.Duration {
		i := interp.New(interp.Options{})
		check(i.Use(stdlib.Symbols))
		if _, err := i.Eval("import \"math\"\nvar _ = math.Pi\n" + src); err != nil {
			return 0
		}
		runtime.GC()
		return timed(func() { _, err := i.Eval("run()"); check(err) })
	}
}

// printed runs a command that prints how many seconds it took; 0 when it cannot.
func printed(name string, args ...string) func() time.Duration {
	return func() time.Duration {
		if name == "" {
			return 0
		}
		cmd := exec.Command(name, args...)
		// gomacro cannot read the export data of today's Go: where it finds no Go, it does without
		if name != "python3" && len(args) > 0 {
			cmd.Env = append(os.Environ(), "GODEBUG=gotypesalias=0", "GOROOT=/nonexistent", "PATH=/usr/bin:/bin")
		}
		out, err := cmd.Output()
		if err != nil {
			return 0
		}
		for _, line := range bytes.Split(out, []byte("\n")) {
			f := strings.Fields(string(line))
			if len(f) > 0 {
				if s, err := strconv.ParseFloat(f[0], 64); err == nil {
					return time.Duration(s * 1e9)
				}
			}
		}
		return 0
	}
}
