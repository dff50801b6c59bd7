package gosrc

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// Source is where the syntax of functions comes from.
type Source struct {
	Fset *token.FileSet
	// Body returns the declaration of a function, with the types of what is in it; nil for a function without syntax.
	// Of an instance of a generic function it is asked for the origin.
	Body func(fn *types.Func) (*ast.FuncDecl, *types.Info)
	// Never reports whether v is a variable that is always false: the tests that a session adds to loops read such. It
	// may be nil.
	Never func(v *types.Var) bool
	// Address returns a pointer to a variable of a package, nil when it is not known; it is asked for when a kernel is
	// launched. Where it is nil, kernels cannot use variables of packages.
	Address func(v *types.Var) any
}

// Error says why a function cannot be compiled.
type Error struct {
	Pos  token.Pos
	At   token.Position
	Msg  string // "kernel code cannot use maps"
	Hint string // what to do instead; may be empty
}

func (e *Error) Error() string {
	msg := e.Msg
	if e.At.IsValid() {
		msg = kir.Pos{File: e.At.Filename, Line: e.At.Line, Col: e.At.Column}.String() + ": " + msg
	}
	if e.Hint != "" {
		msg += "\n\t" + e.Hint
	}
	return msg
}

// Errors are all the errors of one function, in the order of the text.
type Errors []*Error

func (e Errors) Error() string {
	var lines []string
	for _, x := range e {
		lines = append(lines, x.Error())
	}
	return strings.Join(lines, "\n")
}

func (s *Source) errorf(pos token.Pos, hint, format string, args ...any) *Error {
	return &Error{Pos: pos, At: s.Fset.Position(pos), Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// program is the SSA form of a function and of all that it calls.
type program struct {
	src  *Source
	prog *ssa.Program
	fn   *ssa.Function
	text map[token.Pos]string    // what stands at a position: index expressions, selectors, names of shared arrays
	from map[token.Pos]token.Pos // where the expression begins that package ssa places at its parenthesis or brace
	vars []*types.Var            // of packages, in the order of their first use
	// what calls of brook.IndexOf name, by their parentheses; nil for what is not a variable
	places map[token.Pos]*types.Var
	errs   Errors
}

// errorf returns an error at a position of package ssa's.
func (p *program) errorf(pos token.Pos, hint, format string, args ...any) *Error {
	if from, ok := p.from[pos]; ok {
		pos = from
	}
	return p.src.errorf(pos, hint, format, args...)
}

// build makes the SSA form of fn. Errors are those that the syntax shows: variables of packages, but for kernels.
func build(src *Source, fn *types.Func, targs []types.Type, kernel bool) (p *program, err error) {
	p = &program{src: src, text: map[token.Pos]string{}, from: map[token.Pos]token.Pos{}, places: map[token.Pos]*types.Var{}}
	type home struct {
		decls []ast.Decl
		info  *types.Info
	}
	homes := map[*types.Package]*home{}
	var order []*types.Package
	homeOf := func(pkg *types.Package) *home {
		h := homes[pkg]
		if h == nil {
			h = new(home)
			homes[pkg] = h
			order = append(order, pkg)
		}
		return h
	}
	queue := []*types.Func{fn.Origin()}
	queued := map[*types.Func]bool{fn.Origin(): true}
	for len(queue) > 0 {
		f := queue[0]
		queue = queue[1:]
		if f.Pkg() == nil {
			continue
		}
		h := homeOf(f.Pkg())
		if path := strings.TrimSuffix(f.Pkg().Path(), "@patch"); path == GPU || path == Brook {
			continue // its Go bodies are for emulation
		}
		decl, info := src.Body(f)
		if decl == nil || decl.Body == nil {
			continue
		}
		if h.info != nil && h.info != info {
			return nil, fmt.Errorf("gosrc: package %s has two sets of types", f.Pkg().Path())
		}
		h.decls, h.info = append(h.decls, decl), info
		p.describe(decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
				if arg, ok := ast.Unparen(call.Args[0]).(*ast.Ident); ok {
					p.places[call.Lparen], _ = info.Uses[arg].(*types.Var)
				}
			}
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch obj := info.Uses[id].(type) {
			case *types.Func:
				if o := obj.Origin(); !queued[o] {
					queued[o] = true
					queue = append(queue, o)
				}
			case *types.Var:
				if obj.Pkg() == nil || obj.IsField() || obj.Parent() != obj.Pkg().Scope() && !isPackageVar(obj) {
					break
				}
				if src.Never != nil && src.Never(obj) {
					homeOf(obj.Pkg())
					break
				}
				if err := p.packageVar(id, obj, kernel); err != nil {
					p.errs = append(p.errs, err)
					break
				}
				homeOf(obj.Pkg())
			}
			return true
		})
	}
	if decl, _ := src.Body(fn.Origin()); decl == nil || decl.Body == nil {
		return nil, fmt.Errorf("the source of %s is not known", fn.Name())
	}
	if len(p.errs) > 0 {
		return p, p.errors()
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot compile %s: %v", fn.Name(), r)
		}
	}()
	p.prog = ssa.NewProgram(src.Fset, ssa.InstantiateGenerics|ssa.BareInits)
	var pkgs []*ssa.Package
	for _, pkg := range order {
		h := homes[pkg]
		if h.info == nil {
			p.prog.CreatePackage(pkg, nil, nil, false)
			continue
		}
		info := *h.info
		info.InitOrder = nil
		file := &ast.File{Name: &ast.Ident{Name: pkg.Name()}, Decls: append(h.decls, p.declarations(pkg, &info)...)}
		pkgs = append(pkgs, p.prog.CreatePackage(pkg, []*ast.File{file}, &info, false))
	}
	for _, pkg := range pkgs {
		pkg.Build()
	}
	p.fn = p.prog.FuncValue(fn.Origin())
	if p.fn == nil {
		return nil, fmt.Errorf("%s is not a function that can be compiled", fn.Name())
	}
	if len(targs) > 0 {
		if p.fn, err = instantiate(p.prog, fn.Origin(), targs); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// isPackageVar reports whether v is a variable of a package whose scope does not list it: cells move theirs.
func isPackageVar(v *types.Var) bool {
	return v.Parent() != nil && v.Parent().Parent() == types.Universe
}

// instantiate returns the instance of a generic function. Package ssa makes those that code mentions, so a function
// that returns it is built.
func instantiate(prog *ssa.Program, fn *types.Func, targs []types.Type) (*ssa.Function, error) {
	t, err := types.Instantiate(nil, fn.Signature(), targs, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn.Name(), err)
	}
	pkg := types.NewPackage("instance·", "instance")
	name, id, result := &ast.Ident{Name: "instance"}, &ast.Ident{Name: fn.Name()}, &ast.Ident{Name: "result"}
	results := types.NewTuple(types.NewParam(token.NoPos, pkg, "", t))
	info := &types.Info{
		Types:     map[ast.Expr]types.TypeAndValue{id: {Type: t}, result: {Type: t}},
		Defs:      map[*ast.Ident]types.Object{name: types.NewFunc(token.NoPos, pkg, name.Name, types.NewSignatureType(nil, nil, nil, nil, results, false))},
		Uses:      map[*ast.Ident]types.Object{id: fn},
		Instances: map[*ast.Ident]types.Instance{id: {TypeArgs: typeList(targs), Type: t}},
	}
	decl := &ast.FuncDecl{Name: name, Type: &ast.FuncType{Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: result}}}}, Body: &ast.BlockStmt{
		List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{id}}},
	}}
	p := prog.CreatePackage(pkg, []*ast.File{{Name: name, Decls: []ast.Decl{decl}}}, info, false)
	p.Build()
	for _, instr := range p.Func(name.Name).Blocks[0].Instrs {
		if r, ok := instr.(*ssa.Return); ok {
			if f, ok := r.Results[0].(*ssa.Function); ok {
				return f, nil
			}
		}
	}
	return nil, fmt.Errorf("%s cannot be instantiated", fn.Name())
}

// typeList makes a list that only package types can make: the arguments of a type made for them.
func typeList(targs []types.Type) *types.TypeList {
	name := types.NewTypeName(token.NoPos, nil, "t", nil)
	named := types.NewNamed(name, types.NewStruct(nil, nil), nil)
	var params []*types.TypeParam
	for range targs {
		params = append(params, types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.Universe.Lookup("any").Type()))
	}
	named.SetTypeParams(params)
	t, err := types.Instantiate(nil, named, targs, false)
	if err != nil {
		panic(err)
	}
	return t.(*types.Named).TypeArgs()
}

func (p *program) errors() error {
	slices.SortStableFunc(p.errs, func(a, b *Error) int { return cmp.Compare(a.Pos, b.Pos) })
	p.errs = slices.CompactFunc(p.errs, func(a, b *Error) bool { return a.Pos == b.Pos && a.Msg == b.Msg })
	if len(p.errs) == 0 {
		return nil
	}
	return p.errs
}

// describe remembers what a person would call the values at the positions that package ssa gives to loads, stores and
// calls.
func (p *program) describe(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			p.from[n.Lparen] = n.Pos()
		case *ast.CompositeLit:
			p.from[n.Lbrace] = n.Pos()
		case *ast.IndexExpr:
			p.text[n.Lbrack] = types.ExprString(n)
		case *ast.SelectorExpr:
			p.text[n.Sel.Pos()] = types.ExprString(n)
		case *ast.AssignStmt:
			for i, rhs := range n.Rhs {
				if call, ok := rhs.(*ast.CallExpr); ok && i < len(n.Lhs) {
					if id, ok := n.Lhs[i].(*ast.Ident); ok {
						p.text[call.Lparen] = id.Name
					}
				}
			}
		}
		return true
	})
}

// CallsDevice reports whether the text of fn calls a function that only kernels can call.
func CallsDevice(src *Source, fn *types.Func) bool {
	return calls(src, fn, func(f *types.Func) bool {
		return f.Pkg().Path() != "math" && !isIndexOf(f) && intrinsics[nameOf(f)] != nil
	})
}

// asksPlaces reports whether the text of fn calls brook.IndexOf, so that it can only be meant for streams.
func asksPlaces(src *Source, fn *types.Func) bool { return calls(src, fn, isIndexOf) }

func isIndexOf(f *types.Func) bool {
	return strings.TrimSuffix(f.Pkg().Path(), "@patch") == Brook && f.Name() == "IndexOf"
}

// calls reports whether the text of fn names a function of a package that is one of these. Function literals that it
// gives to a function for which [TakesSource] holds, or keeps in variables, do not count: they may be kernels that it
// launches.
func calls(src *Source, fn *types.Func, is func(f *types.Func) bool) bool {
	decl, info := src.Body(fn)
	if decl == nil {
		return false
	}
	found := false
	kernels := map[ast.Expr]bool{}
	apart := func(values []ast.Expr) {
		for _, x := range values {
			kernels[ast.Unparen(x)] = true
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if f, ok := info.Uses[n].(*types.Func); ok && f.Pkg() != nil && !found {
				found = is(f)
			}
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(info, n); fn != nil && TakesSource(fn) {
				apart(n.Args)
			}
		case *ast.AssignStmt:
			apart(n.Rhs)
		case *ast.ValueSpec:
			apart(n.Values)
		case *ast.FuncLit:
			return !found && !kernels[n]
		}
		return !found
	})
	return found
}
