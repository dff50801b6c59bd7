// Command interp measures the interpreter: what a cell costs, what it leaves behind, and how fast its code runs beside
// the bare engine and compiled Go, numeric loops beside CPython, yaegi and gomacro too. Things that are compared run in
// turns, and medians are printed. With the path of the arrayrepl command as argument it starts a kernel too, and weighs
// it.
//
//	go run ./tests/bench/interp [-o docs/design/measurements/interpreter.md]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
	"github.com/goplus/ixgo"
)

func main() {
	symbols.Register()
	only := flag.String("only", "", "loops: measure numeric loops alone; times: print our own times, for tests/bench/paired")
	gomacro := flag.String("gomacro", "", "the command of gomacro, beside which numeric loops are measured")
	rows := flag.String("rows", "", "a regular expression for the names of the rows that -only times prints")
	page := record.Flag()
	flag.Parse()
	if *only == "times" {
		times(regexp.MustCompile(*rows))
		return
	}
	check(page.Start())
	measure(*only, *gomacro)
	check(page.End())
}

// measure prints all rows, or those of numeric loops.
func measure(only, gomacro string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	row := func(what, figure, bar string) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", what, figure, bar)
		w.Flush()
	}
	row("what", "measured", "bar")
	if only == "loops" {
		numbers(row, gomacro)
		return
	}
	start := time.Now()
	newSession()
	first := time.Since(start)
	row("create a session", fmt.Sprintf("%v (the first of a process: %v)", median(11, func() { newSession() }), round(first)), "30ms")

	s := newSession()
	run(s, "1 + 1")
	row("1 + 1", median(301, func() { run(s, "1 + 1") }).String(), "1ms")

	growth(row)

	s = newSession()
	for range 50 {
		run(s, "x := 1")
	}
	before := heap()
	for range 1000 {
		run(s, "x := 1")
	}
	row("kept of a trivial cell", fmt.Sprintf("%d bytes", (heap()-before)/1000), "2048 bytes")

	before = heap()
	run(s, "big := make([]float64, 10_000_000)")
	held := heap() - before
	run(s, "big = nil")
	row("80 MB, held and after big = nil", fmt.Sprintf("%.1f MB, %.1f MB", float64(held)/1e6, float64(heap()-before)/1e6), "below 4 MB")

	code(row)
	numbers(row, gomacro)
	if flag.NArg() > 0 {
		row("kernel after its start, all processes", fmt.Sprintf("%.1f MB PSS", kernelPSS(flag.Arg(0))), "80 MB")
	}
}

func newSession() *interp.Session {
	s, err := interp.New(interp.Options{Packages: symbols.Packages()})
	check(err)
	return s
}

func run(s *interp.Session, src string) {
	_, err := s.Run(context.Background(), 1, src)
	check(err)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// median returns the median of n runs.
func median(n int, f func()) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = timed(f)
	}
	return middle(all)
}

func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return round(all[len(all)/2])
}

func round(d time.Duration) time.Duration { return d.Round(max(d/1000, 1)) }

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// growing is cell i of a session that grows.
func growing(i int) string {
	switch i % 4 {
	case 1:
		return fmt.Sprintf("func f%d(n int) int { return n*n + x%d }\nf%d(2)", i, i-1, i)
	case 2:
		return fmt.Sprintf("type T%d struct{ a, b int }\nfunc (t T%d) Sum() int { return t.a + t.b + f%d(1) }\nT%d{1, 2}.Sum()", i, i, i-1, i)
	case 3:
		return fmt.Sprintf("func G%d[E any](xs []E) int { return len(xs) }\nfmt.Sprint(G%d([]int{1}), T%d{3, 4})", i, i, i-1)
	}
	return fmt.Sprintf("x%d := %d", i, i)
}

// growthCells are cells that use what such a session declared.
var growthCells = []struct{ name, src string }{
	{"an expression", "x0 + 1"},
	{"a function that calls an earlier one", "func h(n int) int { return f1(n) }\nh(3)"},
	{"a value with methods", "fmt.Sprint(T2{1, 2}.Sum())"},
	{"an earlier generic function", "G3([]string{`a`})"},
	{"a type with a method", "type U struct{ a int }\nfunc (u U) M() int { return u.a }\nU{1}.M()"},
}

// growth compares cells of a session that has run 5 cells with those of one that has run 500, which declare functions,
// types with methods, generic functions and variables.
func growth(row func(what, figure, bar string)) {
	sessions := map[int]*interp.Session{5: newSession(), 500: newSession()}
	for n, s := range sessions {
		for i := range n {
			run(s, growing(i))
		}
	}
	for _, c := range growthCells {
		var early, late []time.Duration
		for range 41 {
			early = append(early, timed(func() { run(sessions[5], c.src) }))
			late = append(late, timed(func() { run(sessions[500], c.src) }))
		}
		e, l := middle(early), middle(late)
		row("cell 5, cell 500: "+c.name, fmt.Sprintf("%v, %v: %.2fx", e, l, float64(l)/float64(e)), "2x")
	}
}

const program = `func loop() (s int) {
	for i := 0; i < 3000000; i++ {
		s += i
	}
	return s
}
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}
func fib30() int { return fib(30) }
`

//go:noinline
func loop() (s int) {
	for i := 0; i < 3000000; i++ {
		s += i
	}
	return s
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

// code compares the speed of a cell's code with the engine alone and with compiled Go.
func code(row func(what, figure, bar string)) {
	s := newSession()
	run(s, program)
	ctx := ixgo.NewContext(0)
	pkg, err := ctx.LoadFile("main.go", "package main\n"+program+"func main() {}\n")
	check(err)
	raw, err := ctx.NewInterp(pkg)
	check(err)
	check(raw.RunInit())
	for _, c := range []struct {
		name, fn, bar string
		compiled      func() int
	}{
		{"a loop of 3,000,000 turns", "loop", "1.7x", loop},
		{"fib(30)", "fib30", "2x", func() int { return fib(30) }},
	} {
		var cell, bare, compiled []time.Duration
		for range 5 {
			cell = append(cell, timed(func() { run(s, c.fn+"();") }))
			bare = append(bare, timed(func() { _, err := raw.RunFunc(c.fn); check(err) }))
			compiled = append(compiled, timed(func() { runtime.KeepAlive(c.compiled()) }))
		}
		m, b, g := middle(cell), middle(bare), middle(compiled)
		row(c.name+": session, ixgo, compiled", fmt.Sprintf("%v, %v, %v: %.2fx of ixgo", m, b, g, float64(m)/float64(b)), c.bar)
	}
}

// kernelPSS starts a kernel, waits until its sockets answer, and adds up the proportional set sizes of its processes.
func kernelPSS(bin string) float64 {
	dir, err := os.MkdirTemp("", "bench")
	check(err)
	defer os.RemoveAll(dir)
	conn := map[string]any{"transport": "tcp", "ip": "127.0.0.1", "key": "", "signature_scheme": "hmac-sha256"}
	var ports []int
	for _, name := range []string{"shell", "iopub", "stdin", "control", "hb"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		check(err)
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		conn[name+"_port"] = ports[len(ports)-1]
		defer l.Close()
		check(l.Close())
	}
	text, err := json.Marshal(conn)
	check(err)
	file := filepath.Join(dir, "connection.json")
	check(os.WriteFile(file, text, 0o600))
	cmd := exec.Command(bin, "kernel", file)
	cmd.Stderr = os.Stderr
	check(cmd.Start())
	defer func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Process.Kill()
		cmd.Wait()
	}()
	for range 200 {
		if c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", ports[0])); err == nil {
			c.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(time.Second)
	return pss(cmd.Process.Pid) / 1e3
}

// pss returns the proportional set size of a process and its children, in kB.
func pss(pid int) (sum float64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	check(err)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
			n, _ := strconv.ParseFloat(f[1], 64)
			sum += n
		}
	}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, t := range tasks {
		list, _ := os.ReadFile(t)
		for _, child := range strings.Fields(string(list)) {
			n, _ := strconv.Atoi(child)
			sum += pss(n)
		}
	}
	return sum
}
