package puzzle

import (
	"fmt"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/viz"
)

// Show shows the task of puzzle n, with the kernel to complete, and returns a picture of which thread of a small launch
// reads and writes what. It panics with *Error when there is no such puzzle.
//
// For example:
//
//	puzzle.Show(1)
func Show(n int) *viz.Chart {
	if err := display.Show(display.Markdown(Task(n))); err != nil {
		panic(err)
	}
	return Picture(n)
}

// Task returns the task of puzzle n as Markdown. It panics with *Error when there is no such puzzle.
func Task(n int) string {
	p, _ := find(n)
	small, large := p.runs[0], p.runs[len(p.runs)-1]
	s := fmt.Sprintf("**Puzzle %d: %s.** %s\n\n```go\nfunc kernel%d(%s) {\n\t// yours\n}\n```\n\n", n, p.name, p.task, n, p.params)
	s += fmt.Sprintf("It is checked with %s, and with %s.", launch(small), launch(large))
	if p.limit != nil {
		s += fmt.Sprintf(" The second may take at most %s on `%s`.", p.limit.units(p.limit.most), judge)
	}
	return s + fmt.Sprintf(" `puzzle.Check(%d, kernel%[1]d)` checks it, `puzzle.Hint(%[1]d)` helps. Words: %s.", n, strings.Join(p.terms, ", "))
}

// launch says how large a run is.
func launch(r run) string {
	blocks := size(r.grid) + " blocks"
	if blocks == "1 blocks" {
		blocks = "one block"
	}
	return fmt.Sprintf("a launch of %s of %s threads", blocks, size(r.block))
}

func size(d gpu.Dim) string {
	if d.Y > 1 {
		return fmt.Sprintf("%d × %d", d.X, d.Y)
	}
	return fmt.Sprint(d.X)
}

// Picture draws which threads read and write what in a small launch of a solution of puzzle n. It panics with *Error
// when there is no such puzzle.
func Picture(n int) *viz.Chart {
	p, answer := find(n)
	r := p.runs[0]
	a := gpu.Accesses(answer.Kernel, r.grid, r.block, r.args()...)
	a.Kernel = fmt.Sprintf("puzzle %d", n)
	return viz.Accesses(a)
}

// given counts the hints that were asked for.
var given = struct {
	sync.Mutex
	of map[int]int
}{of: map[int]int{}}

// Hint returns the next hint for puzzle n: each call one more, and after the last the first again. It panics with
// *Error when there is no such puzzle.
//
// For example:
//
//	puzzle.Hint(1) // a further call says more
func Hint(n int) string {
	p, _ := find(n)
	given.Lock()
	at := given.of[n] % len(p.hints)
	given.of[n]++
	given.Unlock()
	s := fmt.Sprintf("Hint %d of %d: %s", at+1, len(p.hints), p.hints[at])
	if at == len(p.hints)-1 {
		s += fmt.Sprintf("\nThat was the last one. puzzle.Answer(%d) shows a solution.", n)
	}
	return s
}

// Code is Go text that a cell shows as it is written.
type Code string

// MIMEBundle implements [display.Bundler].
func (c Code) MIMEBundle() display.Bundle {
	b := display.Text(string(c))
	b.Data[display.TypeMarkdown] = "```go\n" + string(c) + "\n```"
	return b
}

// Answer returns a solution of puzzle n. It panics with *Error when there is no such puzzle.
//
// For example:
//
//	puzzle.Answer(1)
func Answer(n int) Code {
	_, a := find(n)
	return Code(a.Text())
}
