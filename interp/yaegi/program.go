package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// mark takes the place of the dot in the front end's names, and ends names made here. It is a letter that people do not
// write.
const mark = "ˑ"

func letters(name string) string { return strings.ReplaceAll(name, "·", mark) }

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

// unsupported is what a printer panics with when a cell uses what this engine does not have.
type unsupported struct {
	pos token.Pos
	msg string
}

// function is a function that yaegi has, or is about to get, under name. A function that calls another version of a
// function than the one it was compiled with is compiled again.
type function struct {
	base     string
	version  int
	text     string // with marks in place of the names of functions that may change
	deps     map[*function]int
	register string // the statement that makes it known to the host, for methods
	library  bool   // it belongs to a package, not to a cell
	fixed    bool   // so does all that it calls

	next *function // what text and deps will be, while a program is written
}

func (f *function) name() string {
	if f.version < 2 {
		return f.base
	}
	return fmt.Sprint(f.base, mark, f.version)
}

// printer writes one program. What it notes in the engine is taken back when yaegi refuses the program.
type printer struct {
	*Engine
	prog    *engine.Program
	decls   strings.Builder // types, variables and functions that never change
	init    strings.Builder // statements of the init function
	imports strings.Builder
	prelude strings.Builder            // statements that the entry function begins with
	outside map[*types.Var]*engine.Var // variables that the session made, such as Out[n]
	fetched map[*types.Var]string      // the pointers to them
	queue   []func()
	touched []*function // in the order in which they were asked for
	undos   []func()
}

func (p *printer) undo(f func()) { p.undos = append(p.undos, f) }

func (p *printer) rollback() {
	for _, f := range slices.Backward(p.undos) {
		f()
	}
}

func (e *Engine) number() int {
	e.counter++
	return e.counter
}

func (p *printer) fail(pos token.Pos, format string, args ...any) {
	panic(unsupported{pos, fmt.Sprintf(format, args...)})
}

// host returns the name of a function of the host's.
func (p *printer) host(name string) string { return p.hostName + "." + name }

// qualified returns a name of a compiled package as the program writes it.
func (p *printer) qualified(pkg *types.Package, name string) string {
	alias, ok := p.aliases[pkg.Path()]
	if !ok {
		alias = fmt.Sprint(letters(pkg.Name()), mark, p.number())
		p.aliases[pkg.Path()] = alias
		p.undo(func() { delete(p.aliases, pkg.Path()) })
		p.use(pkg)
		fmt.Fprintf(&p.imports, "import %s %q\n", alias, pkg.Path())
	}
	return alias + "." + name
}

// write turns a program into text for yaegi, and the names of its entry function.
func (p *printer) write() (text, entry string) {
	for _, part := range p.prog.Units {
		for fn, decl := range part.Unit.Funcs {
			p.sources[fn] = source{part.Unit, decl}
		}
	}
	cell := p.prog.Cell
	for fn, decl := range cell.Funcs {
		p.sources[fn] = source{cell, decl}
	}
	for _, v := range p.prog.Vars {
		if _, known := p.vars[v.Obj]; known {
			continue
		}
		if name, ok := p.addresses[v.Addr.Pointer()]; ok {
			p.vars[v.Obj] = name
		} else {
			p.outside[v.Obj] = v
		}
	}
	var inits []string
	for _, part := range p.prog.Units {
		if part.Init {
			inits = append(inits, p.initUnit(part.Unit))
		}
	}
	var entryDecl *ast.FuncDecl
	for _, d := range cell.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == p.prog.Entry {
			entryDecl = fn
		}
	}
	inits = append(inits, p.initUnit(cell))
	entry = fmt.Sprint("cell", mark, p.number())
	c := &fn{printer: p, unit: cell, info: cell.Info, entry: true, sig: types.NewSignatureType(nil, nil, nil, nil, nil, false)}
	var body strings.Builder
	fmt.Fprintf(&body, "func %s() {\n", entry)
	for _, text := range inits {
		body.WriteString(text)
	}
	var stmts strings.Builder
	c.out = &stmts
	begin := c.begin(entryDecl.Body)
	c.stmts(entryDecl.Body.List)
	body.WriteString(p.prelude.String() + begin + stmts.String() + c.end())
	body.WriteString("}\n")
	// Functions are there from the declaration on, for the cells that follow.
	for fn := range cell.Funcs {
		if fn.Signature().Recv() == nil && fn.Signature().TypeParams().Len() == 0 {
			p.function(fn, nil)
		}
	}
	if p.renewed {
		p.renewed = false
		for _, d := range p.descriptions() {
			d.implements.Clear()
			if d.methodsKnown != nil {
				d.keepMethods()
				c.methodsOf(d)
			}
		}
	}
	for len(p.queue) > 0 {
		f := p.queue[0]
		p.queue = p.queue[1:]
		f()
	}
	funcs := p.renew()
	var b strings.Builder
	b.WriteString("package main\n" + p.imports.String() + p.resolve(p.decls.String()))
	b.WriteString(p.resolve(funcs))
	b.WriteString(p.resolve(body.String()))
	fmt.Fprintf(&b, "func init() {\n%s%s(%s)\n}\n", p.resolve(p.init.String()), p.host("Entry"), entry)
	return b.String(), entry
}

// initUnit declares the variables of a unit, and returns the statements that give them their values.
func (p *printer) initUnit(u *engine.Unit) string {
	for _, d := range u.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				if v, ok := u.Info.Defs[id].(*types.Var); ok && id.Name != "_" {
					p.declare(v)
				}
			}
		}
	}
	var b strings.Builder
	c := &fn{printer: p, unit: u, info: u.Info, out: &b, sig: types.NewSignatureType(nil, nil, nil, nil, nil, false)}
	for _, in := range u.Info.InitOrder {
		var lhs []string
		var want []types.Type
		for _, v := range in.Lhs {
			if v.Name() == "_" || p.vars[v] == "" {
				lhs = append(lhs, "_")
			} else {
				lhs = append(lhs, p.vars[v])
			}
			want = append(want, v.Type())
		}
		if len(lhs) == 1 {
			fmt.Fprintf(&b, "%s = %s\n", lhs[0], c.conv(in.Rhs, want[0]))
			continue
		}
		c.assignTuple(lhs, want, in.Rhs, "=")
	}
	n := 0
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
			n++
			sub := &fn{printer: p, unit: u, info: u.Info, sig: u.Info.Defs[f.Name].(*types.Func).Signature()}
			name := fmt.Sprint("init", mark, p.number())
			fmt.Fprintf(&b, "%s()\n", name)
			p.decls.WriteString(sub.funcText(name, f.Type, nil, f.Body))
		}
	}
	return b.String()
}

// declare makes a package variable.
func (p *printer) declare(v *types.Var) {
	name := fmt.Sprint(letters(v.Name()), mark, p.number())
	p.vars[v] = name
	fmt.Fprintf(&p.decls, "var %s %s\n", name, p.typ(v.Type()))
	id := p.number()
	p.waiting[id] = v
	fmt.Fprintf(&p.init, "%s(%d, &%s)\n", p.host("Var"), id, name)
}

// external returns a variable that the session made. What only the cell's own statements mention is fetched each time,
// so that yaegi does not keep what the session drops.
func (c *fn) external(v *engine.Var) string {
	p := c.printer
	if name, ok := p.fetched[v.Obj]; ok && c.self == nil {
		return name
	}
	t := p.typ(v.Obj.Type())
	id := p.number()
	name := fmt.Sprint(letters(v.Obj.Name()), mark, id)
	p.externals[id] = v
	fetch := fmt.Sprintf("%s(%d, new(%s)).(*%s)", p.host("Pointer"), id, t, t)
	if c.self == nil {
		fmt.Fprintf(&p.prelude, "%s := %s\n", name, fetch)
		p.fetched[v.Obj] = "(*" + name + ")"
		return p.fetched[v.Obj]
	}
	p.vars[v.Obj] = "(*" + name + ")"
	p.undo(func() { delete(p.vars, v.Obj) })
	fmt.Fprintf(&p.decls, "var %s *%s\n", name, t)
	fmt.Fprintf(&p.init, "%s = %s\n", name, fetch)
	return p.vars[v.Obj]
}

// source is where a function of a cell, or of an interpreted package, is declared.
type source struct {
	unit *engine.Unit
	decl *ast.FuncDecl
}

// reference returns what stands for the name of f until it is known.
func (p *printer) reference(f *function) string { return "\x01" + f.base + "\x02" }

func (p *printer) resolve(text string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "\x01")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		base, rest, _ := strings.Cut(after, "\x02")
		b.WriteString(p.functions[base].name())
		text = rest
	}
}

// ask returns the function with that key, and has it written by make when this program must have it.
func (p *printer) ask(key string, base func() string, make func(f *function) string) *function {
	f := p.byKey[key]
	if f == nil {
		f = &function{base: fmt.Sprint(letters(base()), mark, p.number())}
		p.byKey[key], p.functions[f.base] = f, f
		p.undo(func() { delete(p.byKey, key) })
	}
	if f.fixed || f.next != nil {
		return f
	}
	f.next = &function{deps: map[*function]int{}}
	p.touched = append(p.touched, f)
	p.queue = append(p.queue, func() { f.next.text = make(f.next) })
	return f
}

// function returns the function that fn, with these type arguments, is for yaegi.
func (p *printer) function(origin *types.Func, targs []types.Type) *function {
	src, ok := p.sources[origin]
	if !ok || src.decl.Body == nil { // without a body it is compiled
		return nil
	}
	key := fmt.Sprintf("%p%s", origin, p.typeKeys(targs))
	f := p.ask(key, func() string {
		if r := origin.Signature().Recv(); r != nil {
			return receiverName(r.Type()) + mark + origin.Name()
		}
		return origin.Name()
	}, func(next *function) string {
		c := &fn{printer: p, unit: src.unit, info: src.unit.Info, self: next, name: plainName(origin.Name())}
		if r := origin.Signature().Recv(); r != nil {
			c.name = receiverText(r.Type()) + "." + c.name
		}
		sig := origin.Signature()
		params := sig.TypeParams()
		if sig.Recv() != nil {
			params = sig.RecvTypeParams()
		}
		if params.Len() > 0 {
			c.env = env{}
			for i := range params.Len() {
				c.env[params.At(i)] = targs[i]
			}
		}
		c.sig = sig
		return c.funcText(p.reference(p.byKey[key]), src.decl.Type, src.decl.Recv, src.decl.Body)
	})
	f.library = origin.Pkg().Path() != cellPath
	return f
}

// cellPath is the path of all packages of cells.
const cellPath = "main"

// typeKeys writes types so that identical ones read the same.
func (p *printer) typeKeys(ts []types.Type) string {
	key := ""
	for _, t := range ts {
		key += "," + strconv.Itoa(p.describe(t).id)
	}
	return key
}

// receiverText is how errors write the receiver of a method.
func receiverText(t types.Type) string {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		return "(*" + receiverName(ptr.Elem()) + ")"
	}
	return receiverName(t)
}

// plainName is a name without what the front end adds to it.
func plainName(name string) string {
	name, _, _ = strings.Cut(name, "·")
	return name
}

func receiverName(t types.Type) string {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "method"
}

// renew decides which of the functions yaegi must get, and returns their text: those that are new or changed, and those
// that call one of them.
func (p *printer) renew() string {
	dirty := map[*function]bool{}
	for _, f := range p.touched {
		dirty[f] = f.version == 0 || f.text != f.next.text
	}
	for again := true; again; {
		again = false
		for _, f := range p.touched {
			if dirty[f] {
				continue
			}
			for d := range f.next.deps {
				if dirty[d] || f.deps[d] != d.version {
					dirty[f], again = true, true
					break
				}
			}
		}
	}
	var b strings.Builder
	for _, f := range p.touched {
		if dirty[f] {
			f.version++
			p.undo(func() { f.text = "" })
		}
	}
	for _, f := range p.touched {
		if !dirty[f] {
			continue
		}
		f.text, f.deps = f.next.text, f.next.deps
		for d := range f.deps {
			f.deps[d] = d.version
		}
		b.WriteString(f.text)
		p.init.WriteString(f.next.register)
		f.register = f.next.register
	}
	for _, f := range p.touched {
		f.next = nil
	}
	return b.String()
}

// settle marks the functions that need not be looked at again: those of packages, but for those that call a cell's.
func (p *printer) settle() {
	for _, f := range p.touched {
		f.fixed = f.library
	}
	for again := true; again; {
		again = false
		for _, f := range p.touched {
			for d := range f.deps {
				if f.fixed && !d.fixed {
					f.fixed, again = false, true
				}
			}
		}
	}
}
