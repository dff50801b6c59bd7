package gpu

import (
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Program is a program of the corpus: a kernel with a launch.
type Program struct {
	Name      string
	Stands    string // for which program of which paper or suite
	Irregular bool   // lanes of its warps go different ways, or wait where others do not
	Kernel    *Function
	Grid      Dim
	Block     Dim
	Args      func() []any // makes the arguments, the same each time
}

// Wiring has what packages that this one must not import give it: no cell needs it.
type Wiring struct{}

var corpus func() []Program

// SetCorpus sets what makes the programs of [Corpus].
func (Wiring) SetCorpus(programs func() []Program) { corpus = programs }

// Programs returns the programs of [Corpus]. It panics with *Error in a program that does not import
// github.com/arrayrepl/arrayrepl/gpu/corpus.
func Programs() []Program {
	if corpus == nil {
		panic(&Error{Err: errors.New(`gpu.Corpus: the programs are not linked: import _ "github.com/arrayrepl/arrayrepl/gpu/corpus"`)})
	}
	return corpus()
}

// Launches is what [Compare] times: a *Recording, or [Recordings].
type Launches interface{ launches() []*Recording }

// Recordings are several recorded launches, of which [Compare] makes one table:
//
//	gpu.Compare(gpu.Recordings{sort, scan, search}, machines...)
type Recordings []*Recording

func (r Recordings) launches() []*Recording { return r }

func (r *Recording) launches() []*Recording {
	if r == nil {
		return nil
	}
	return Recordings{r}
}

// Corpus records the programs with which papers have compared ways to form, interleave and swap warps, as small
// kernels that stand for them; with names, those alone. Each is computed when it is first timed.
//
//	gpu.Compare(gpu.Corpus(), simgpu.Variants("fermivt", simgpu.WithPicker(simgpu.GTO{}), simgpu.WithPicker(mine{}))...)
//
// It panics with *Error when there is no such program, and in a program of one's own that does not import
// github.com/arrayrepl/arrayrepl/gpu/corpus.
func Corpus(names ...string) Recordings {
	programs := Programs()
	var all []string
	for _, p := range programs {
		all = append(all, p.Name)
	}
	if len(names) == 0 {
		names = all
	}
	var out Recordings
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			panic(&Error{Err: fmt.Errorf("gpu.Corpus: there is no program %q; there are %s", name, strings.Join(all, ", "))})
		}
		p := &programs[i]
		r := Record(p.Kernel, p.Grid, p.Block, p.Args()...)
		r.program = p
		out = append(out, r)
	}
	return out
}

// cells returns a row for each recording, a head first.
func (r Recordings) cells() [][]string {
	rows := [][]string{{"kernel", "grid", "block", "stands for"}}
	for _, x := range r {
		stands := ""
		if x.program != nil {
			stands = x.program.Stands
		}
		rows = append(rows, []string{x.kernel, fmt.Sprint(x.grid), fmt.Sprint(x.block), stands})
	}
	return rows
}

// String lists the recordings.
func (r Recordings) String() string {
	var s strings.Builder
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for _, row := range r.cells() {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	return strings.TrimRight(s.String(), "\n")
}

// MIMEBundle is what a cell shows of them.
func (r Recordings) MIMEBundle() display.Bundle {
	b := display.Text(r.String())
	var s strings.Builder
	s.WriteString(`<table style="border-collapse:collapse;font-family:sans-serif;font-size:12px">`)
	for i, row := range r.cells() {
		s.WriteString("<tr>")
		for _, text := range row {
			tag := [...]string{"th", "td"}[min(i, 1)]
			fmt.Fprintf(&s, `<%s style="text-align:left;padding:2px 8px">%s</%s>`, tag, html.EscapeString(text), tag)
		}
		s.WriteString("</tr>")
	}
	b.Data[display.TypeHTML] = s.String() + "</table>"
	return b
}
