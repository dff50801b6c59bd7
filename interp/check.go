package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// checked is a cell that go/types has accepted.
type checked struct {
	*lowered
	pkg     *types.Package
	info    *types.Info
	aliases map[types.Object]types.Object // what the names in lowered.prior stand for
	undoes  []func()                      // what the check changed in earlier types
	own     *engine.Unit                  // what Functions see of the cell; nil without them
	held    *held                         // the function literals that its variables hold; nil without Functions
	same    map[types.Object]types.Object // the variables of earlier cells that its own stay
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Scopes:     map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances:  map[*ast.Ident]types.Instance{},
	}
}

// check type-checks a lowered cell against the names of the session. Some complaints are not the user's business and
// lead to another turn: a last expression without a value, one that is a constant too large for its type, and a
// positional literal of an earlier cell's struct, whose fields go/types takes for another package's.
func (s *Session) check(l *lowered) (*checked, []Diagnostic) {
	if d := s.lateMethods(l); len(d) > 0 {
		return nil, d
	}
	s.addImports(l)
	for turn := 0; ; turn++ {
		c, errs := s.checkOperators(l)
		if len(errs) == 0 {
			return c, nil
		}
		c.undo()
		if turn < 100 && (l.dropDisplay(errs) || l.ownFields(errs, c.info) || s.showConstant(c, errs) || s.showDeclaration(c, errs)) {
			continue
		}
		return c, s.diagnose(c, errs)
	}
}

func (s *Session) checkOnce(l *lowered) (*checked, []types.Error) {
	c := &checked{lowered: l, info: newInfo(), aliases: map[types.Object]types.Object{}}
	name := fmt.Sprintf("cell·%d", l.Src.Cell)
	l.File.Name = syntax.IdentAt(name, l.File.Name.Pos())
	c.pkg = types.NewPackage(engine.CellPath, name)
	giveFields(l.fields, c.pkg)
	around := s.fillScope(c)
	defer merge(c.pkg, around)
	var errs []types.Error
	conf := types.Config{
		Importer:                 importer{s},
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if te, ok := err.(types.Error); ok && !strings.HasPrefix(te.Msg, "\t") {
				errs = append(errs, te)
			}
		},
	}
	if len(l.late) > 0 {
		defer func() {
			if p := recover(); p != nil {
				c.undo()
				panic(p)
			}
		}()
		s.checkWithMethods(c, &conf, around)
	} else {
		types.NewChecker(&conf, s.fset, c.pkg, c.info).Files([]*ast.File{l.File}) // errors go to conf.Error
	}
	return c, errs
}

// fillScope makes known to the checker the names of earlier cells that this one mentions and does not declare itself.
// It returns the scope where they are.
func (s *Session) fillScope(c *checked) *types.Scope {
	scope := enclose(c.pkg)
	imported := map[string]bool{}
	for _, imp := range c.File.Imports {
		imported[s.importName(imp)] = true
	}
	insertAll(scope, s.guard.Scope())
	s.operators.fillScope(scope)
	ast.Inspect(c.File, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || c.Names[id.Name] || imported[id.Name] {
			return true
		}
		if obj := s.names[id.Name]; obj != nil {
			scope.Insert(obj)
		}
		return true
	})
	for name, alias := range c.Prior {
		obj := s.names[name]
		v := types.NewVar(obj.Pos(), obj.Pkg(), alias, obj.Type())
		c.aliases[v] = obj
		scope.Insert(v)
	}
	return scope
}

// dropDisplay takes back the display of a last expression that has no value.
func (l *lowered) dropDisplay(errs []types.Error) bool {
	if l.Last == nil {
		return false
	}
	for _, e := range errs {
		if strings.Contains(e.Msg, "(no value) used as value") && e.Pos >= l.Value.Pos() && e.Pos < l.Value.End() {
			l.PlainLast()
			return true
		}
	}
	return false
}

// showConstant shows the exact value of a last expression that is a constant too large for the type it would get.
func (s *Session) showConstant(c *checked, errs []types.Error) bool {
	l := c.lowered
	if l.Last == nil || len(errs) != 1 || !strings.Contains(errs[0].Msg, "argument to "+engine.ShowName) {
		return false
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if types.CheckExpr(s.fset, c.pkg, l.Value.Pos(), l.Value, info) != nil || info.Types[l.Value].Value == nil {
		return false
	}
	exact := info.Types[l.Value].Value.ExactString()
	if v := info.Types[l.Value].Value; v.Kind() != constant.Int {
		exact = v.String()
	}
	l.showText(exact)
	return true
}

// showDeclaration shows how the last expression is declared when it is a name alone that is not a value: a function
// that takes types, a type, a package.
func (s *Session) showDeclaration(c *checked, errs []types.Error) bool {
	l := c.lowered
	if l.Last == nil || len(errs) != 1 || errs[0].Pos < l.Value.Pos() || errs[0].Pos >= l.Value.End() {
		return false
	}
	switch obj := c.named(l.Value).(type) {
	case *types.Func, *types.TypeName, *types.PkgName, *types.Builtin:
		l.showText(s.assistant.Declaration(obj))
		return true
	}
	return false
}

// named is what an expression names that is a name, or one of a package or value; nil for others.
func (c *checked) named(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return c.info.Uses[x]
	case *ast.SelectorExpr:
		return c.info.Uses[x.Sel]
	}
	return nil
}

// showText lets the cell show a text in the place of its last expression.
func (l *lowered) showText(text string) {
	lit := &ast.BasicLit{ValuePos: l.Value.Pos(), Kind: token.STRING, Value: strconv.Quote(text)}
	l.Last.X.(*ast.CallExpr).Args = []ast.Expr{lit}
	l.Value = lit
}

// cellOf says which cell declared obj, as " (cell 3)".
func (s *Session) cellOf(obj types.Object) string {
	if p := s.fset.Position(obj.Pos()); p.IsValid() {
		return " (" + p.Filename + ")"
	}
	if cell, ok := strings.CutPrefix(obj.Pkg().Name(), "cell·"); ok { // its text is not kept
		return " (cell " + cell + ")"
	}
	return ""
}

var (
	cellQualifier = lazyregexp.New(`cell·(\d+)\.(\w+)`)
	outVariable   = lazyregexp.New(`Out·(\d+)`)
	shownName     = lazyregexp.New("in call to " + engine.ShowName + ", | in argument to " + engine.ShowName)
	declaredAt    = lazyregexp.New(`declared at cell (\d+):(\d+):\d+`)
	// in the part of a package that is interpreted
	patchPlace  = lazyregexp.New(` \(declared at \S+_patch\.go:\d+:\d+\)`)
	packageName = lazyregexp.New(`\b[a-z]\w*\.[A-Z]\w*`)
)

// plainTypes takes the cells out of the names of types, but where two types of one name would read the same.
func (l *lowered) plainTypes(msg string) string {
	cells := map[string]string{}
	twice := map[string]bool{}
	for _, part := range cellQualifier.FindAllStringSubmatch(msg, -1) {
		if first, ok := cells[part[2]]; ok && first != part[1] || l.Names[part[2]] {
			twice[part[2]] = true
		}
		cells[part[2]] = part[1]
	}
	return cellQualifier.ReplaceAllStringFunc(msg, func(m string) string {
		part := cellQualifier.FindStringSubmatch(m)
		if twice[part[2]] {
			return part[2] + " (of cell " + part[1] + ")"
		}
		return part[2]
	})
}

// ownNames writes the packages that cells need not import as cells call them: np.Array, not lazy.Array.
func (s *Session) ownNames(msg string) string { return s.ownPackages(msg, s.firstName) }

// ownPackages calls the packages that cells need not import by what name says of each and a name of it.
func (s *Session) ownPackages(msg string, name func(own Package, of string) string) string {
	return packageName.ReplaceAllStringFunc(msg, func(m string) string {
		base, rest, _ := strings.Cut(m, ".")
		for _, own := range s.opts.Packages {
			if modules.BaseName(own.Path) == base {
				return name(own, rest) + "." + rest
			}
		}
		return m
	})
}

// firstName is the first of the packages that cells need not import which has own's type of that name: arrays.DType is
// np.DType.
func (s *Session) firstName(own Package, name string) string {
	t := s.exported(own.Path, name)
	if _, ok := t.(*types.TypeName); !ok {
		return own.Name
	}
	for _, first := range s.opts.Packages {
		if as := s.exported(first.Path, name); as != nil && types.Identical(as.Type(), t.Type()) {
			return first.Name
		}
	}
	return own.Name
}

// exported is what an installed package has by a name, nil for nothing.
func (s *Session) exported(path, name string) types.Object {
	if !s.installed[path] || !ast.IsExported(name) {
		return nil
	}
	p, err := s.engine.Import(path)
	if err != nil {
		return nil
	}
	return p.Scope().Lookup(name)
}

// importer gives the checker the packages that the engine offers.
type importer struct{ s *Session }

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) { return i.s.importPackage(path) }
