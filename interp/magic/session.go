package magic

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Options is what a session's surroundings add. The zero value adds nothing.
type Options struct {
	// ReadNotebook returns the sources of a notebook's code cells, for %load. Nil reads none.
	ReadNotebook func(path string) ([]string, error)
	// FreeMemory returns how many bytes of memory are free, 0 where that is not known, for %memlimit. Nil knows
	// nothing.
	FreeMemory func() int64
	// Doc describes a name that is not Go of the session, as numpy.argsort or a page of the documentation, for %doc.
	// Nil knows none.
	Doc func(name string) (display.Bundle, bool)
	// Pages is what %help says of such pages, lines with their ends, and PageNames what %doc completes.
	Pages     string
	PageNames []string
	// Carried is what the notebook brings along, for %get and %data. Nil brings nothing.
	Carried func() carried.Set
	// GoNB says that the notebook was written for the kernel GoNB: what means something else there means it here too. A
	// cell's func main is run, commands are bash's, and %cd shows the directory.
	GoNB bool
	// Version is what %version shows.
	Version string
	// AutoGet is whether imports fetch modules until %autoget says otherwise.
	AutoGet bool
}

// Session is an interp.Session whose cells may hold magics. Its methods hide those of the interp.Session that take
// cells; as there, one cell runs at a time, and questions may be asked meanwhile.
type Session struct {
	*interp.Session
	opts  Options
	all   []*Magic // in the order of %help
	table map[string]*Magic

	mu      sync.Mutex
	back    string          // where %cd - leads
	told    map[string]bool // what has been said once
	autoGet bool            // imports fetch modules

	goFlags   []string // of %goflags
	moduleDir string   // where commands with !* run, once one has
}

// New returns s with magics.
func New(s *interp.Session, o Options) *Session {
	m := &Session{Session: s, opts: o, table: map[string]*Magic{}, told: map[string]bool{}, autoGet: o.AutoGet}
	for _, one := range Table() {
		m.Add(one)
	}
	newCommandLine(nil)
	if o.GoNB {
		m.enterGoNB()
	}
	return m
}

// Add adds a magic, of the session's surroundings, in the place of one that has its name. It must not be called while a
// cell runs.
func (s *Session) Add(m Magic) {
	if i := slices.IndexFunc(s.all, func(have *Magic) bool { return have.Name == m.Name }); i >= 0 {
		s.all[i] = &m
	} else {
		s.all = append(s.all, &m)
	}
	s.table[m.Name] = &m
}

// Run runs a cell, magics and all, as [interp.Session.Run] runs a cell of Go. The bundle is that of its last part.
func (s *Session) Run(ctx context.Context, cell int, src string) (display.Bundle, error) {
	return s.RunCell(ctx, interp.Cell{Number: cell, Source: src})
}

// RunCell is Run for a cell with more to say of it.
func (s *Session) RunCell(ctx context.Context, c interp.Cell) (display.Bundle, error) {
	c.Source = strings.TrimPrefix(c.Source, byteOrderMark)
	parts := s.split(c.Source)
	program := s.isProgram(parts)
	if len(parts) == 1 && parts[0].magic == nil && !program {
		defer flagsAgain(c.Source)()
		return s.runGo(ctx, c)
	}
	if c.Input == "" {
		c.Input = c.Source
	}
	if !c.Transient {
		s.AddInput(c.Number, c.Input)
	}
	if err := s.check(c, parts); err != nil {
		s.notRun(c, parts)
		return display.Bundle{}, err
	}
	defer func(args []string) { os.Args = args }(os.Args)
	if program {
		setArgs(nil)
	}
	call := &Call{Session: s, ctx: ctx, cell: c, cellState: &cellState{program: program}}
	defer call.end()
	var last display.Bundle
	parts = callsLast(parts)
	for i, p := range parts {
		if ctx.Err() != nil {
			s.notRun(c, parts[i:])
			return display.Bundle{}, interrupted()
		}
		var err error
		if p.magic == nil {
			call.line = p.line
			last, err = call.goPart(p.text, p.line)
		} else {
			inner := call.inner(p.magic, p.line)
			last, err = s.table[inner.Name].Run(inner)
			err = inner.failure(err)
		}
		if err != nil {
			s.notRun(c, parts[i+1:])
			return display.Bundle{}, err
		}
	}
	if call.main {
		if err := show(last); err != nil {
			return display.Bundle{}, err
		}
		if err := call.ownMain(); err != nil {
			return display.Bundle{}, err
		}
		last = display.Bundle{}
	}
	call.capture(last)
	return last, nil
}

// notRun tells the session of the Go that a cell did not come to.
func (s *Session) notRun(c interp.Cell, parts []part) {
	for _, p := range parts {
		if p.magic == nil {
			s.NotRun(c.Number, p.text)
		}
	}
}

// byteOrderMark stands at the start of what some editors write.
const byteOrderMark = "\ufeff"

func interrupted() *interp.Error {
	return &interp.Error{Kind: interp.Interrupted, Message: "interrupted"}
}

// check refuses a cell with a magic that does not exist, or is used wrongly, before anything of it runs.
func (s *Session) check(c interp.Cell, parts []part) error {
	var diags []interp.Diagnostic
	for _, p := range parts {
		if p.magic == nil {
			continue
		}
		if msg := s.misuse(p.magic); msg != "" {
			if len(diags) == interp.MaxDiagnostics {
				break // as many as are shown
			}
			diags = append(diags, interp.Diagnostic{Cell: c.Number, Line: p.line, Column: p.magic.column, Message: msg, Source: lineOf(c.Source, p.line)})
		}
	}
	if len(diags) == 0 {
		return nil
	}
	return &interp.Error{Kind: interp.CompileError, Message: diags[0].String(), Diagnostics: diags}
}

// misuse says what is wrong with the use of a magic, "" when nothing is.
func (s *Session) misuse(m *magicText) string {
	def := s.table[m.name]
	switch {
	case def == nil && m.misplaced:
		return m.name + " must stand in the first line of a cell"
	case def == nil:
		return s.unknown(m.name)
	case m.misplaced:
		return m.name + " must stand in the first line of a cell, and the rest of the cell is for it"
	case m.arg == "" && def.Arg != "" && def.Arg[0] != '[' || m.arg != "" && def.Arg == "":
		how := "usage: " + def.usage()
		if whole := s.table["%"+m.name]; m.arg == "" && whole != nil {
			how += "; %" + m.name + " in the first line of a cell is for the whole cell"
		}
		return how
	}
	return ""
}

// Page describes a name that is not Go of the session, as %doc does: see [Options].
func (s *Session) Page(name string) (display.Bundle, bool) {
	if s.opts.Doc == nil {
		return display.Bundle{}, false
	}
	return s.opts.Doc(name)
}

// split cuts a cell as the session sees it.
func (s *Session) split(src string) []part { return split(src, s.declared) }

// declared reports whether cells have declared name.
func (s *Session) declared(name string) bool {
	_, ok := s.Names()[name]
	return ok
}

// tell reports whether it is called for the first time with this key.
func (s *Session) tell(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told[key] {
		return false
	}
	s.told[key] = true
	return true
}

// lineOf returns a line of src, counted from 1.
func lineOf(src string, n int) string {
	lines := strings.Split(src, "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[n-1], "\r")
}
