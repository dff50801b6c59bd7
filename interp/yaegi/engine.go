package yaegi

import (
	"errors"
	"fmt"
	"go/types"
	"io"
	"iter"
	"maps"
	"os"
	"reflect"
	"strings"
	"sync"
	_ "unsafe" // for linkname

	registry "github.com/goplus/ixgo"
	yaegi "github.com/traefik/yaegi/interp"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
)

// Engine implements engine.Engine. What it shares with the first engine is the registry of compiled packages: their
// types for the checker, their values, and the packages that are interpreted from source.
type Engine struct {
	engine.Engine
	hooks engine.Hooks
	yaegi *yaegi.Interpreter

	counter   int
	hostName  string            // how programs call the host
	lineName  string            // the pointer to the line that is executed
	topName   string            // the same for the cell's own statements
	renewed   bool              // types have got methods since the last program
	line, top int               // what they point to
	aliases   map[string]string // how programs call compiled packages, by path
	used      map[string]bool   // paths that yaegi knows

	instances   *types.Context
	locals      map[string]*types.Named
	rec         [2]typeMap
	boxes       typeMap
	structs     typeMap // names of struct types
	vars        map[*types.Var]string
	addresses   map[uintptr]string // names of variables by where they are
	waiting     map[int]*types.Var
	externals   map[int]*engine.Var
	flags       map[any]string
	sources     map[*types.Func]source
	byKey       map[string]*function
	functions   map[string]*function // by their base names
	helpers     map[string]string
	methodTypes map[string]int

	mu       sync.RWMutex // guards what follows, which running code reads
	descs    typeMap
	byID     map[int]*desc
	cases    map[int][][]*desc
	signs    map[int]reflect.Type // types of method functions
	pointers map[int]any          // of flags
	points   []engine.Frame       // places in cells; their numbers, from 1, stand in line and top
	pointOf  map[engine.Frame]int
	current  *code // that is being compiled
}

// New returns an engine. Nothing of yaegi is initialised before.
func New() engine.Engine {
	return &Engine{
		Engine: ixgo.New(), aliases: map[string]string{}, used: map[string]bool{}, instances: types.NewContext(),
		locals: map[string]*types.Named{}, vars: map[*types.Var]string{}, addresses: map[uintptr]string{},
		waiting: map[int]*types.Var{}, externals: map[int]*engine.Var{}, flags: map[any]string{}, sources: map[*types.Func]source{},
		byKey: map[string]*function{}, functions: map[string]*function{}, helpers: map[string]string{},
		methodTypes: map[string]int{}, byID: map[int]*desc{}, cases: map[int][][]*desc{},
		signs: map[int]reflect.Type{}, pointers: map[int]any{}, pointOf: map[engine.Frame]int{},
	}
}

// Name implements engine.Engine.
func (e *Engine) Name() string { return "yaegi" }

// Start implements engine.Engine.
func (e *Engine) Start(h engine.Hooks) error {
	e.hooks = h
	e.yaegi = yaegi.New(yaegi.Options{Stderr: io.Discard})
	e.hostName, e.lineName, e.topName = "host"+mark, "line"+mark, "top"+mark
	if err := e.yaegi.Use(yaegi.Exports{"host" + mark + "/host" + mark: e.host()}); err != nil {
		return err
	}
	return e.execute(fmt.Sprintf("package main\nimport %[1]s %[1]q\nvar %[2]s, %[3]s *int\nfunc init() { %[2]s, %[3]s = %[1]s.Line(), %[1]s.Top() }\n",
		e.hostName, e.lineName, e.topName))
}

//go:linkname externValues github.com/goplus/ixgo.externValues
var externValues map[string]reflect.Value

// use makes a compiled package known to yaegi.
func (e *Engine) use(pkg *types.Package) {
	if e.used[pkg.Path()] {
		return
	}
	e.used[pkg.Path()] = true
	symbols := map[string]reflect.Value{}
	if p, ok := registry.LookupPackage(pkg.Path()); ok {
		for _, m := range []map[string]reflect.Type{p.NamedTypes, p.Interfaces, p.AliasTypes} {
			for name, rt := range m {
				symbols[name] = reflect.Zero(reflect.PointerTo(rt))
			}
		}
		for name, v := range p.Funcs {
			symbols[name] = v
		}
		for name, v := range p.Vars {
			symbols[name] = v.Elem()
		}
	}
	// What ixgo's source of a package leaves to compiled code.
	for name, v := range externValues {
		for _, path := range []string{pkg.Path(), strings.TrimSuffix(pkg.Path(), "@patch")} {
			if f, ok := strings.CutPrefix(name, path+"."); ok && strings.HasSuffix(pkg.Path(), "@patch") {
				symbols[f] = v
			}
		}
	}
	if pkg.Path() == "unsafe" {
		symbols["Pointer"] = reflect.ValueOf((*unsafePointer)(nil))
	}
	for name, f := range e.replacements(pkg.Path()) {
		symbols[name] = reflect.ValueOf(f)
	}
	// The package's name does not matter, as imports give one; by "fmt/fmt" yaegi would know the standard library, and
	// change it. Use fails on paths without a name only.
	e.yaegi.Use(yaegi.Exports{pkg.Path() + "/package": symbols})
}

// execute compiles text and runs what initialises it.
func (e *Engine) execute(text string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	prog, err := e.yaegi.Compile(text)
	if err != nil {
		return err
	}
	_, err = e.yaegi.Execute(prog)
	return err
}

// Compile implements engine.Engine.
func (e *Engine) Compile(prog *engine.Program) (c engine.Code, err error) {
	p := &printer{Engine: e, prog: prog, outside: map[*types.Var]*engine.Var{}, fetched: map[*types.Var]string{}}
	cd := &code{e: e, vars: map[*types.Var]reflect.Value{}}
	defer func() {
		if err != nil {
			p.rollback()
		}
	}()
	text, err := p.text()
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.current = cd
	e.mu.Unlock()
	if debug {
		fmt.Fprintln(os.Stderr, text)
	}
	if prog.Stop != nil && prog.Stop() {
		return nil, errors.New("it is not wanted any more")
	}
	if err := e.execute(text); err != nil {
		return nil, fmt.Errorf("engine yaegi cannot run this cell: %s", plain(err))
	}
	p.settle()
	return cd, nil
}

// debug prints what yaegi is given.
var debug = os.Getenv("ARRAYREPL_DEBUG") == "yaegi"

// plain is yaegi's message without the position in the text that it was given.
func plain(err error) string {
	msg := err.Error()
	if _, rest, ok := strings.Cut(msg, ": "); ok && strings.Trim(msg[:len(msg)-len(rest)-2], "0123456789:_.go") == "" {
		msg = rest
	}
	return msg
}

// text writes the program; what it cannot write becomes an error.
func (p *printer) text() (text string, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unsupported:
			where := ""
			if pos := p.FileSet().Position(r.pos); pos.IsValid() {
				where = fmt.Sprintf("%s, line %d: ", pos.Filename, pos.Line)
			}
			err = errors.New(where + "engine yaegi cannot run " + r.msg + "; engine ixgo can")
		default:
			err = fmt.Errorf("engine yaegi cannot write this cell: %v", r)
		}
	}()
	text, _ = p.write()
	return text, nil
}

// Renew lets types of earlier cells have other methods: nothing here is made of the methods that they had.
func (e *Engine) Renew([]types.Type, []*engine.Var) (engine.Renewal, error) {
	e.renewed = true
	return renewal{}, nil
}

// renewal implements engine.Renewal.
type renewal struct{}

func (renewal) Types() []types.Type      { return nil }
func (renewal) Finish(engine.Code, bool) {}
func (renewal) Undo()                    {}

// code is a compiled cell.
type code struct {
	e     *Engine
	entry func()
	vars  map[*types.Var]reflect.Value
}

// Run implements engine.Code.
func (c *code) Run() (f *engine.Failure) {
	defer func() {
		if r := recover(); r != nil {
			f = &engine.Failure{Value: mended(r), Trace: c.e.trace()}
		}
	}()
	setInt(&c.e.line, 0)
	setInt(&c.e.top, 0)
	c.entry()
	return nil
}

// Where implements engine.Code.
func (c *code) Where() []engine.Frame { return c.e.trace() }

// Var implements engine.Code.
func (c *code) Var(v *types.Var) (reflect.Value, bool) {
	addr, ok := c.vars[v]
	return addr, ok
}

// Vars implements engine.Code.
func (c *code) Vars() iter.Seq2[*types.Var, reflect.Value] { return maps.All(c.vars) }
