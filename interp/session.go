package interp

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"reflect"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/interp/assist"
	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/supervise"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Options configures a session. The zero value runs on ixgo with the standard library.
type Options struct {
	// Engine runs the cells; nil means a new one of [ixgo.New].
	Engine engine.Engine
	// Packages may be used without an import line under the names given here. They must be known to the engine.
	Packages []Package
	// Short has functions that cells may call by a name alone, as long as they give it no other meaning: "Display" to
	// "display.Show". The package must be one of Packages.
	Short map[string]string
	// GoText has results shown as [display.Of] shows them: texts as Go writes values, the nil error of a call left out.
	// Without it the texts are those of fmt.Println, with which cells are compared with compiled programs.
	GoText bool
	// Arrays are the import paths of the packages on whose type *Array cells can use operators and slices; see package
	// operators. Where arrays of two of them meet, the first decides.
	Arrays []string
	// Dir is the directory of the notebook or program, or "": packages of the module that it is in can be imported.
	Dir string
	// Hint, when not nil, may add to a message of the parser or the checker what to write instead, "" for nothing. It
	// also gets the line of the cell that is at fault and the byte in it where.
	Hint func(message, line string, at int) string
	// Docs has the documentation of Packages, for [docs.Load]. Nil means that there is none.
	Docs fs.FS
	// Sources are packages that cells may import, by import path, beside those of modules: the program brings their
	// source.
	Sources map[string]Source
	// MemoryLimit is what SetMemoryLimit is called with at the start.
	MemoryLimit int64
	// Tier says when numeric code runs in the engine's numeric tier, if it has one: "" and TierOn, TierOff,
	// TierForce.
	Tier string
	// Evaluate, when not nil, is called with each value that a cell prints: it evaluates what is not computed yet, and
	// panics when that fails.
	Evaluate func(v any)
	// Underway, when not nil, names what computes in compiled code and cannot be asked to stop, "" for nothing: the
	// error of an interrupted cell says that it goes on.
	Underway func() string
	// Functions, when not nil, gives packages the source of functions that cells pass to them.
	Functions Functions
	// Background receives panics of goroutines that outlived their cell, from a goroutine of the session's. Nil prints
	// them on standard error.
	Background func(*Error)
}

// Session holds the names and values that cells share. All methods may be called while a cell runs; when that is Run,
// the cells are compiled one after the other and run at the same time, and each sees what was declared by those that
// had ended when it began.
type Session struct {
	engine     engine.Engine
	supervisor *supervise.Supervisor // of what runs
	fset       *token.FileSet
	guard      *types.Package
	opts       Options

	operators *arrayOperators // nil without Options.Arrays

	installed map[string]bool   // import paths that cells may use
	auto      map[string]string // names usable without an import

	typing typing // of IsComplete

	mu sync.Mutex // guards what follows; not held while a cell's code runs

	names      map[string]types.Object // what cells have declared, the latest of each name
	lacking    map[string]string       // why names are not there that cells were to declare
	imports    map[string]string       // what cells have imported
	dotImports []string
	units      map[*types.Package]*engine.Unit // syntax of earlier cells and interpreted packages; nil for compiled ones
	bound      map[*types.Var]*engine.Var      // variables of earlier cells
	// exported variables of interpreted packages: those that live outside programs
	homes     map[types.Object]types.Object
	users     map[types.Object][]*engine.Unit // the units of cells by the functions that they call
	byMethod  map[string][]types.Type         // types of cells by the names of their methods
	cells     int                             // programs run so far
	waits     *waiting                        // for the cell that is being prepared
	prepared  int                             // cells that are compiled and not committed
	old       []*types.Func                   // functions that names meant before, see forgetOld
	modules   *modules.Set                    // those of the user's own and of others
	results   results
	tier      string            // the mode of the numeric tier
	program   bool              // the only cell is a program, see OnExit
	assistant *assist.Assistant // answers about the text of a cell

	sources sources // of functions that cells pass to packages
}

// New returns an empty session.
func New(opts Options) (*Session, error) {
	if opts.Engine == nil {
		opts.Engine = ixgo.New()
	}
	s := &Session{
		engine: opts.Engine, opts: opts, guard: syntax.NewGuard(), fset: opts.Engine.FileSet(),
		installed: map[string]bool{}, names: map[string]types.Object{}, lacking: map[string]string{}, imports: map[string]string{},
		units: map[*types.Package]*engine.Unit{}, bound: map[*types.Var]*engine.Var{}, byMethod: map[string][]types.Type{},
		homes: map[types.Object]types.Object{}, users: map[types.Object][]*engine.Unit{},
		sources: sources{units: map[*types.Package]*engine.Unit{}, held: map[*types.Var]*Function{}},
	}
	s.supervisor = supervise.New(supervise.Options{
		Engine: s.engine, Evaluate: opts.Evaluate, Underway: opts.Underway, Background: opts.Background,
		PackageNames: func(msg string) string {
			return s.ownPackages(msg, func(own Package, _ string) string { return own.Name })
		},
	})
	hooks := s.supervisor.Hooks()
	hooks.Given = s.bindGiven
	if err := s.engine.Start(hooks); err != nil {
		return nil, fmt.Errorf("interp: engine %s: %w", s.engine.Name(), err)
	}
	if err := s.SetTier(cmp.Or(opts.Tier, defaultTier)); err != nil {
		return nil, err
	}
	if len(opts.Arrays) > 0 {
		s.operators = newArrayOperators(opts.Arrays)
		s.operators.Poll = s.poll
	}
	if opts.MemoryLimit > 0 {
		s.SetMemoryLimit(opts.MemoryLimit)
	}
	paths := s.engine.Packages()
	for _, p := range paths {
		s.installed[p] = true
	}
	for _, p := range opts.Packages {
		if !s.installed[p.Path] {
			return nil, fmt.Errorf("interp: package %s (as %s) is not registered with engine %s: import its symbols", p.Path, p.Name, s.engine.Name())
		}
	}
	s.auto = autoTable(paths, opts.Packages)
	modules, err := modules.New(opts.Dir, opts.Sources, s.installed)
	if err != nil {
		return nil, err
	}
	s.modules = modules
	s.assistant = s.newAssistant()
	for p := range opts.Sources {
		if name := modules.Package(p).Name; s.auto[name] == "" {
			s.auto[name] = p // as those of the standard library
		}
	}
	return s, nil
}

// Cell is a cell to run.
type Cell struct {
	Number    int    // what positions in errors say, and n in Out[n]
	Source    string //
	Input     string // what In[n] is, when Source is but a part of it
	Transient bool   // In and Out do not get it: a client's question, the callback of a widget

	// Begin, when not nil, is called on the cell's goroutine when its code begins, after compilation, and what it
	// returns when the code has ended. A cell that is halted may not come to its end.
	Begin func() (end func())
}

// Run runs one cell and returns the bundle of its last expression, which is empty when there is nothing to show. The
// cell number is what positions in errors say. A cell that fails returns an [*Error]; any other error would be the
// session's own. When ctx ends, Run returns soon after with an Error of kind Interrupted, and polls end what the cell
// left running.
//
// What a failed cell executed before it failed has happened: assignments stay, and the declarations that were reached
// are made. A cell that does not compile declares nothing.
func (s *Session) Run(ctx context.Context, cell int, src string) (display.Bundle, error) {
	return s.RunCell(ctx, Cell{Number: cell, Source: src})
}

// RunCell is [Session.Run] for a cell with more to say of it.
func (s *Session) RunCell(ctx context.Context, c Cell) (display.Bundle, error) {
	b, _, err := s.runCell(ctx, c)
	return b, err
}

// Evaluate is [Session.RunCell] for the value of the last expression itself, nil when there is none.
func (s *Session) Evaluate(ctx context.Context, c Cell) (any, error) {
	_, values, err := s.runCell(ctx, c)
	if len(values) == 0 {
		return nil, err
	}
	return values[0], err
}

// runCell runs a cell and returns what it shows, and the values of that.
func (s *Session) runCell(ctx context.Context, c Cell) (display.Bundle, []any, error) {
	ctx = supervise.WithCell(ctx, c.Number)
	if ctx.Err() != nil {
		return display.Bundle{}, nil, &Error{Kind: Interrupted, Message: "interrupted before the cell started"}
	}
	if !c.Transient {
		s.AddInput(c.Number, cmp.Or(c.Input, c.Source))
	}
	if err := s.resolve(ctx, c.Number, c.Source); err != nil {
		s.NotRun(c.Number, c.Source)
		return display.Bundle{}, nil, err
	}
	p, err := s.prepareAndRun(ctx, c)
	if p == nil {
		return display.Bundle{}, nil, orNil(err)
	}
	b, values, size := p.shown.take()
	if err != nil {
		b = display.Bundle{}
	}
	if note := p.Note(); err == nil && note != "" {
		b = display.Text(note)
	}
	if err == nil && !c.Transient && values != nil {
		s.addResult(p, c.Number, values[0], size)
	}
	return b, values, orNil(err)
}

// orNil keeps a nil *Error from becoming a non-nil error.
func orNil(err *Error) error {
	if err == nil {
		return nil
	}
	return err
}

// prepared is a cell that can run.
type prepared struct {
	*checked
	unit *engine.Unit
	prog *engine.Program
	code engine.Code
	run  *supervise.Run
	// what the last expression shows
	shown *shown
}

// prepare takes a cell through the steps up to running it; nil when there is nothing to run.
func (s *Session) prepare(by *waiting, r *supervise.Run, cell int, src string) (p *prepared, fail *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var l *lowered
	var c *checked
	defer func() { // go/types and the engine panic on some programs that they do not foresee
		s.waits = nil
		switch v := recover(); v {
		case nil:
		case engine.ErrStopped:
			p, fail = nil, stopped()
			if f := s.fset.File(l.File.FileStart); f != nil {
				s.fset.RemoveFile(f)
			}
		default:
			p, fail = nil, &Error{Kind: EngineError, Message: fmt.Sprint("cannot compile this cell: ", v)}
		}
		if fail != nil && c != nil {
			c.undo()
			s.failed(c.lowered)
		}
	}()
	s.waits = by
	if by.gone() { // while it waited for an earlier one
		return nil, stopped()
	}
	var diags []Diagnostic
	l, diags = s.frontEnd(cell, src)
	if diags != nil {
		s.failedText(cell, src)
		return nil, cellerror.Compile(diags)
	}
	if l == nil {
		return nil, nil
	}
	if by.gone() {
		s.fset.RemoveFile(s.fset.File(l.File.FileStart))
		return nil, stopped()
	}
	c, diags = s.check(l)
	if diags != nil || by.gone() {
		s.fset.RemoveFile(s.fset.File(l.File.FileStart))
		if diags == nil {
			return nil, stopped()
		}
		return nil, cellerror.Compile(diags)
	}
	if diags = s.give(c); diags != nil {
		return nil, cellerror.Compile(diags)
	}
	var renewal engine.Renewal
	var remade []types.Type
	if changed := s.adoptMethods(c); len(changed) > 0 {
		var err error
		if renewal, err = s.renew(changed); err != nil {
			return nil, &Error{Kind: EngineError, Message: err.Error()}
		}
		c.undoes = append(c.undoes, renewal.Undo)
		remade = append(changed, renewal.Types()...)
	}
	for _, obj := range c.info.Uses {
		s.supervisor.Uses(obj)
	}
	sh := newShown(c)
	p = &prepared{checked: c, run: r, shown: sh}
	r.Show = func(values []any) { s.show(sh, values) }
	s.replaceFuncs(c)
	if p.code = s.direct(c, r.Show); p.code != nil {
		if !by.take() {
			return nil, stopped()
		}
		p.unit, p.prog = &engine.Unit{Pkg: c.pkg, Info: c.info}, &engine.Program{}
		s.prepared++
		return p, nil
	}
	p.unit = s.unitOfCell(c)
	s.keepSource(c, p.unit)
	s.loseHeld(c)
	p.prog = s.link(c, p.unit, remade)
	p.prog.Flags = r.Flags()
	p.prog.GoPanic = r.Panicked
	p.prog.Stop = by.gone
	code, err := s.engine.Compile(p.prog)
	if err != nil && by.gone() || !by.take() {
		return nil, stopped()
	}
	if err != nil {
		return nil, &Error{Kind: EngineError, Message: err.Error()}
	}
	if renewal != nil {
		renewal.Finish(code, s.supervisor.Busy())
		s.indexAgain(remade)
	}
	p.code = code
	s.prepared++
	return p, nil
}

// byteOrderMark stands at the start of what some editors write.
const byteOrderMark = "\ufeff"

// frontEnd is the part of prepare that needs no types; nil, nil for a cell without code.
func (s *Session) frontEnd(cell int, src string) (*lowered, []Diagnostic) {
	src = strings.TrimPrefix(src, byteOrderMark)
	pieces, bad := syntax.Split(src)
	if bad != nil {
		sc := syntax.Bare(cell, src)
		if msg, at := s.floorInBrackets(cell, src); msg != "" {
			return nil, []Diagnostic{sc.Diagnostic(at, msg)}
		}
		d, parsed := syntax.Unbalanced(s.fset, s.parser(), cell, src, bad)
		if parsed {
			d.Message += s.hint(d)
		}
		return nil, []Diagnostic{d}
	}
	if len(pieces) == 0 {
		return nil, nil
	}
	text, file, diags := s.parseCell(s.fset, cell, src, pieces)
	if diags != nil {
		for i := range min(len(diags), MaxDiagnostics) { // more are not shown
			diags[i].Message += s.hint(diags[i])
		}
		return nil, diags
	}
	if diags = s.resolveResults(text, file); diags != nil {
		s.fset.RemoveFile(s.fset.File(file.FileStart))
		return nil, diags
	}
	return s.lower(text, file)
}

// isVar reports whether a name is that of a variable of an earlier cell.
func (s *Session) isVar(name string) bool {
	_, ok := s.names[name].(*types.Var)
	return ok
}

// Names returns what the cells have declared so far, for listings.
func (s *Session) Names() map[string]types.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]types.Object, len(s.names))
	for k, v := range s.names {
		out[k] = v
	}
	return out
}

// Variables lists the variables that cells have declared, in no order.
func (s *Session) Variables() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, obj := range s.names {
		if _, ok := obj.(*types.Var); ok && !strings.Contains(name, "·") { // those with a dot are the session's
			names = append(names, name)
		}
	}
	return names
}

// Value returns what a variable that cells have declared holds now.
func (s *Session) Value(name string) (v reflect.Value, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.valueOf(name)
}

// Forget forgets what cells have declared or imported as name, so that it means again what it meant before them, a
// package or a name of Go's own, and reports whether there was anything. Functions that use it go on to do so.
func (s *Session) Forget(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	obj, path := s.names[name], s.imports[name]
	delete(s.names, name)
	delete(s.imports, name)
	if v, ok := obj.(*types.Var); ok && !s.used(v) {
		delete(s.bound, v)
	}
	return obj != nil || path != ""
}

// used reports whether code of earlier cells mentions v.
func (s *Session) used(v *types.Var) bool {
	for _, u := range s.units {
		if u == nil {
			continue
		}
		for _, obj := range u.Info.Uses {
			if obj == v {
				return true
			}
		}
	}
	return false
}

// Close gives back what the session shares with others of the process, and closes what its cells have opened. Nothing
// of it may run or be used afterwards.
func (s *Session) Close() {
	s.supervisor.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.engine.(interface{ Close() }); ok {
		c.Close()
	}
}

// Reset forgets all that cells have declared and imported, their results and their texts, and ends what they left
// running, as EndJobs does. It returns what goes on.
func (s *Session) Reset() []Job {
	left, _ := s.EndJobs(context.Background()) // all of them: no number is wrong
	s.ResetResults()
	s.forgetNames()
	return left
}

func (s *Session) forgetNames() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for pkg := range s.units {
		if pkg.Path() == engine.CellPath {
			delete(s.units, pkg)
		}
	}
	for v := range s.bound {
		if pkg := v.Pkg().Path(); strings.HasPrefix(pkg, "vars·") && strings.HasSuffix(pkg, "·"+engine.CellPath) {
			delete(s.bound, v)
		}
	}
	clear(s.names)
	clear(s.lacking)
	clear(s.imports)
	s.sources.mu.Lock()
	for pkg := range s.sources.units {
		if pkg.Path() == engine.CellPath {
			delete(s.sources.units, pkg)
		}
	}
	clear(s.sources.held)
	s.sources.mu.Unlock()
	s.forgetBound()
	clear(s.users)
	clear(s.byMethod)
	s.assistant.ForgetCells()
	s.dotImports = nil
}
