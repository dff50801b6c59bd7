package magic

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// slowCompile is from when on the time that compiling took is worth a line.
const slowCompile = 50 * time.Millisecond

// stopwatch measures a piece of code, its compilation apart.
type stopwatch struct {
	user, sys, wall time.Duration
}

// begin is the Begin of a cell.
func (w *stopwatch) begin() (end func()) {
	user, sys := cpuTimes()
	start := time.Now()
	return func() {
		w.wall = time.Since(start)
		u, s := cpuTimes()
		w.user, w.sys = u-user, s-sys
	}
}

func (w *stopwatch) print(c *Call, compile time.Duration) {
	if display.Reproducible() {
		c.Printf("%s\n", timeLeftOut)
		return
	}
	if w.user+w.sys > 0 {
		c.Printf("CPU times: user %s, sys: %s, total: %s\n", span(w.user), span(w.sys), span(w.user+w.sys))
	}
	c.Printf("Wall time: %s\n", span(w.wall))
	if compile >= slowCompile {
		c.Printf("Compiler : %s\n", span(compile))
	}
}

// timeLeftOut stands where times would make each run of a notebook another.
const timeLeftOut = "The time is left out, as viz.Reproducible() was called."

// span writes a duration with three digits, as IPython does.
func span(d time.Duration) string { return spanOf(d.Seconds()) }

func spanOf(seconds float64) string {
	if seconds >= 60 {
		d := time.Duration(seconds * 1e9).Round(time.Second)
		out := ""
		for _, u := range []struct {
			name string
			d    time.Duration
		}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}} {
			if n := d / u.d; n > 0 {
				out += fmt.Sprintf(" %d%s", n, u.name)
				d -= n * u.d
			}
		}
		return strings.TrimSpace(out)
	}
	for _, u := range []struct {
		name  string
		scale float64
	}{{"s", 1}, {"ms", 1e3}, {"µs", 1e6}} {
		if seconds*u.scale >= 1 {
			return digits(seconds*u.scale) + " " + u.name
		}
	}
	return digits(seconds*1e9) + " ns"
}

// digits writes x with three digits.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

func timeLine(c *Call) (display.Bundle, error) { return c.timed(c.Arg, c.line, c.argColumn) }

func timeCell(c *Call) (display.Bundle, error) { return c.timed(c.Body, c.line+1, 1) }

// timed runs Go, which may hold magics of its own, and prints how long it took. What was compiled in between counts as
// compilation only when it is a single piece of Go.
func (c *Call) timed(src string, line, column int) (display.Bundle, error) {
	w := &stopwatch{}
	start := time.Now()
	if parts := c.split(src); len(parts) == 1 && parts[0].magic == nil {
		b, err := c.goCode(src, line, column, w.begin)
		if err == nil {
			w.print(c, time.Since(start)-w.wall)
		}
		return b, err
	}
	end := w.begin()
	b, err := c.nested(src, line)
	end()
	if err == nil {
		w.print(c, 0)
	}
	return b, err
}

// nested runs the part of a cell from a line on as a cell.
func (c *Call) nested(src string, line int) (display.Bundle, error) {
	cell := c.cell
	if cell.Input == "" {
		cell.Input = cell.Source
	}
	cell.Source = strings.Repeat("\n", line-1) + src
	return c.RunCell(c.ctx, cell)
}

const (
	timeitRuns   = 7
	timeitEnough = 200 * time.Millisecond // how long one run shall take at least, as in IPython
)

func timeitLine(c *Call) (display.Bundle, error) {
	loops, runs, rest, err := timeitFlags(c.Arg)
	if err != nil {
		return display.Bundle{}, err
	}
	if rest == "" {
		return display.Bundle{}, errors.New("there is nothing to time: write the Go behind it")
	}
	column := c.argColumn + len([]rune(c.Arg)) - len([]rune(rest))
	return display.Bundle{}, c.timeit(rest, c.line, column, loops, runs)
}

func timeitCell(c *Call) (display.Bundle, error) {
	loops, runs, setup, err := timeitFlags(c.Arg)
	if err != nil {
		return display.Bundle{}, err
	}
	if strings.TrimSpace(c.Body) == "" {
		return display.Bundle{}, errors.New("there is nothing to time: write it below the first line")
	}
	if setup != "" {
		column := c.argColumn + len([]rune(c.Arg)) - len([]rune(setup))
		if _, err := c.goCode(setup, c.line, column, nil); err != nil {
			return display.Bundle{}, err
		}
	}
	return display.Bundle{}, c.timeit(c.Body, c.line+1, 1, loops, runs)
}

// timeitFlags reads -n and -r from the beginning of an argument; rest is what follows them, as it stands there.
func timeitFlags(arg string) (loops, runs int, rest string, err error) {
	runs, rest = timeitRuns, arg
	for {
		m := timeitFlag.FindStringSubmatch(rest)
		if m == nil {
			return loops, runs, rest, nil
		}
		n, err := strconv.Atoi(m[2])
		if err != nil || n < 1 {
			return 0, 0, "", fmt.Errorf("-%s takes a number from 1 on, not %s", m[1], m[2])
		}
		if m[1] == "n" {
			loops = n
		} else {
			runs = n
		}
		rest = strings.TrimSpace(rest[len(m[0]):])
	}
}

// timeitFlag is one flag; -n without a number behind it is Go.
var timeitFlag = lazyregexp.New(`^-([nr])[ =]?(\d+)(?:\s+|$)`)

// timeit runs src in a loop, several times, and prints what a turn took.
func (c *Call) timeit(src string, line, column, loops, runs int) error {
	head, body := timeitBody(src)
	run := func(n int) (time.Duration, error) {
		w := &stopwatch{}
		_, err := c.wrapped("for range "+strconv.Itoa(n)+" {"+head, body, "\n}", line, column, w.begin)
		return w.wall, err
	}
	// a call that may not stand alone, as len(x)
	if _, err := run(1); isCompileError(err) && head == "" && isExpression(src) {
		head = asValue
	}
	if loops == 0 {
		for loops = 1; ; loops = next(loops) {
			d, err := run(loops)
			if err != nil {
				return err
			}
			if d >= timeitEnough || loops >= 1e9 {
				break
			}
		}
	}
	times := make([]float64, runs)
	for i := range times {
		d, err := run(loops)
		if err != nil {
			return err
		}
		times[i] = d.Seconds() / float64(loops)
	}
	if display.Reproducible() {
		c.Printf("%s\n", timeLeftOut)
		return nil
	}
	c.Printf("%s%s\n", timeitText(times, loops), c.tierText())
	return nil
}

// next is the number of loops to try after n: 1, 2, 5, 10, 20…
func next(n int) int {
	for p := 1; ; p *= 10 {
		switch n {
		case p:
			return 2 * p
		case 2 * p:
			return 5 * p
		case 5 * p:
			return 10 * p
		}
	}
}

// timeitText is the line that IPython prints, with the best time added.
func timeitText(times []float64, loops int) string {
	mean, best, worst := 0.0, math.Inf(1), 0.0
	for _, t := range times {
		mean += t / float64(len(times))
		best, worst = min(best, t), max(worst, t)
	}
	dev := 0.0
	for _, t := range times {
		dev += (t - mean) * (t - mean) / float64(len(times))
	}
	text := fmt.Sprintf("%s ± %s per loop (mean ± std. dev. of %d %s, %s %s each); best %s",
		spanOf(mean), spanOf(math.Sqrt(dev)), len(times), plural("run", len(times)), thousands(loops), plural("loop", loops), spanOf(best))
	if worst > 4*best && best > 1e-6 {
		text = fmt.Sprintf("The slowest run took %.3g times longer than the fastest: something may be cached, or the machine is busy.\n%s", worst/best, text)
	}
	return text
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// asValue makes a statement of an expression.
const asValue = " _ = "

func isCompileError(err error) bool {
	var failed *interp.Error
	return errors.As(err, &failed) && failed.Kind == interp.CompileError
}

func isExpression(src string) bool {
	_, err := parser.ParseExpr(src)
	return err == nil
}

// timeitBody makes src the body of a loop, with what stands before it: expressions become statements, and names that it
// declares count as used.
func timeitBody(src string) (before, body string) {
	if x, err := parser.ParseExpr(src); err == nil {
		if _, call := x.(*ast.CallExpr); call {
			return "", src
		}
		return asValue, src
	}
	const head = "package p; func _() {"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", head+src+"\n}", 0)
	if err != nil || len(file.Decls) != 1 {
		return "", src
	}
	at := 0
	for _, st := range file.Decls[0].(*ast.FuncDecl).Body.List {
		a, ok := st.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		end := fset.Position(a.End()).Offset - len(head)
		body += src[at:end]
		at = end
		for _, x := range a.Lhs {
			if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
				body += "; _ = " + id.Name
			}
		}
	}
	return "", body + src[at:]
}
