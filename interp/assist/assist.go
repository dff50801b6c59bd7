// Package assist answers questions about the text of a cell while it is written, without running anything: what may
// stand at a cursor ([Assistant.Complete]), what is known of a name ([Assistant.Describe]), and how declarations are
// written.
//
// The text before a cursor may stop anywhere, and what stands around it may be broken: place.go reads what its tokens
// say, text.go makes something of it that can be checked. complete.go and expected.go find and rank what fits there;
// describe.go and inspect.go say what things are, from their types and from the documentation of package interp/docs;
// written.go keeps what cells wrote.
//
// It knows a session by its [Scope] alone.
package assist

import (
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"reflect"

	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// Scope is what a session tells of its names. The maps are the session's own: they are read while an answer is made,
// and the session changes none of them until it is given.
type Scope struct {
	Names     map[string]types.Object // what cells have declared, the latest of each name
	Imports   map[string]string       // what cells have imported, paths by names
	Auto      map[string]string       // names of packages that need no import, to their paths
	Installed map[string]bool         // paths of the packages that are compiled in
	Modules   *modules.Set            // those that are interpreted
	Docs      []fs.FS                 // documentation of packages, for [docs.Load]; the first that has a package counts

	// OwnName is what cells call a package that they need not import, "" for others.
	OwnName func(path string) string
	// Parse reports whether text is a cell without syntax errors.
	Parse func(text string) bool
	// Analyse takes a text through the front end and the checker, type errors notwithstanding, and does not make it
	// part of the session. Lines with syntax errors before byte cursor's become blank. It returns nil when nothing can
	// be made of the text.
	Analyse func(text string, cursor int) *Text
	// Import returns a package as cells import it.
	Import func(path string) (*types.Package, error)
	// Declared is the syntax of a function of an interpreted package, nil for others.
	Declared func(fn *types.Func) *ast.FuncDecl
	// Value is the value of a variable of an earlier cell; not valid for others, and while a cell runs that may change
	// it.
	Value func(v *types.Var) reflect.Value
}

// Text is a text that was analysed for an answer.
type Text struct {
	Src     *syntax.Source
	File    *ast.File
	Pkg     *types.Package
	Info    *types.Info
	Methods []Method // of types of earlier cells: the file has them as functions of other names
	// Offset is where in the text a node of the file stands, in bytes.
	Offset func(token.Pos) int
	// Undo takes back what the text did to types of earlier cells.
	Undo func()

	wrote map[string]written // what the text declares, once that is asked for
}

// Method is a method that a text declares for a type of an earlier cell.
type Method struct {
	Obj  *types.Func
	Decl *ast.FuncDecl
}

// Assistant answers about the cells of one session, one question at a time: the session's mutex is held.
type Assistant struct {
	Scope
	documented map[string]*docs.Package // what has been read of the shipped documentation, nil for what is not there
	written    map[string]written       // what cells wrote of the names that they declared
	// the text that was analysed last for an answer, until that is given
	text *Text
	left int // how many bytes more may be parsed for that answer
}

// New returns an assistant for a session.
func New(s Scope) *Assistant {
	return &Assistant{Scope: s, documented: map[string]*docs.Package{}, written: map[string]written{}}
}

// ForgetPackage makes that the documentation of a package is read again: it has come, or its files have changed.
func (a *Assistant) ForgetPackage(path string) { delete(a.documented, path) }

// ForgetCells forgets what cells wrote, when a session begins anew.
func (a *Assistant) ForgetCells() { clear(a.written) }
