// Package engine is the contract between a session, which splits, checks and rewrites cells, and an engine, which
// compiles and runs them: the program that the session makes of a cell, what running code calls back, where it is, and
// the names that only lowered cells have. Package interp has the session; interp/ixgo and interp/yaegi are engines.
// They know this package and not the session; yaegi takes compiled packages from ixgo.
package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"iter"
	"net"
	"reflect"
	"time"
	"unsafe"
)

// Engine compiles checked cells and runs them. One engine serves one session; the session calls it from one goroutine
// at a time, except that compiled code runs on goroutines of its own.
type Engine interface {
	// Name is how the engine is called, as in --engine.
	Name() string

	// Start gives the engine what running code calls back. It is called once, before anything else but Name.
	Start(Hooks) error

	// FileSet is where the positions of cells must be, so that the engine can find them in a trace.
	FileSet() *token.FileSet

	// Packages lists the import paths of the compiled packages that cells may use.
	Packages() []string

	// Import returns the types of such a package.
	Import(path string) (*types.Package, error)

	// Source returns the part of a compiled package that the engine interprets from source, nil when there is none.
	Source(pkg *types.Package) *Unit

	// Compile makes a program ready to run.
	Compile(*Program) (Code, error)
}

// Hooks is what running code calls back.
type Hooks struct {
	// a poll found the stop flag set; returns when the goroutine may go on
	Leave func(trace func() []Frame)
	// whether Leave ends, or has ended, the calling goroutine
	Leaving func() bool
	Exit    func(what string, trace func() []Frame) // os.Exit, runtime.Goexit: must not return
	Sleep   func(d time.Duration)                   // time.Sleep
	Show    func(values []any)                      // the cell's last expression
	// the calling goroutine panicked; it must end now
	GoPanic func(value any, trace []Frame)
	// labels of a goroutine that one with the labels from starts
	Go func(from unsafe.Pointer, trace func() []Frame) unsafe.Pointer
	// closed when the calling goroutine must end, which then calls Leave; nil for never
	Quit   func() <-chan struct{}
	Accept func(net.Listener) (net.Conn, error) // Accept of a listener of the system
	// a func goes to a package that wants its source; see Functions
	Given func(n int, value any) any

	// Printing is called with what fmt is to print, by a format or "" for none. It returns what is given to fmt.
	Printing func(format string, args []any) []any

	Print  io.Writer                   // where print and println write
	Writer func(w io.Writer) io.Writer // what a call of w.Write writes to
	// Allow is asked before something large is made: it panics when n elements of so many bytes are too much.
	Allow func(what func() string, n, size int64)

	// Overflow is told that calls are nested so deep that they take so many bytes: it must not return.
	Overflow func(bytes int64, trace func() []Frame)

	Externals map[string]any // functions to call in the place of those of compiled packages with these names
}

// Code is a compiled program.
type Code interface {
	// Run initialises the program's packages and calls its entry function, on the calling goroutine. It returns what it
	// panicked with, or nil. When the goroutine ends by runtime.Goexit, Run does not return.
	Run() *Failure

	// Where returns the lines at which Run is, innermost first: those of a cell that waits in compiled code and cannot
	// say so itself. It may be called while the code runs, from another goroutine, and nil is a good answer.
	Where() []Frame

	// Var returns the address of a package variable that the program declared.
	Var(v *types.Var) (addr reflect.Value, ok bool)

	// Vars goes through all of these.
	Vars() iter.Seq2[*types.Var, reflect.Value]
}

// Failure is a panic that reached the end of a program.
type Failure struct {
	Value any
	Trace []Frame // innermost first
}

// Program is one cell with all it needs, each part checked.
type Program struct {
	Cell  *Unit          // declares Entry
	Entry string         // the function to call after initialisation; "" for none
	Guard *types.Package // the package of the names that cells are lowered to
	Flags map[string]any // addresses of its variables
	// of earlier cells and of packages that are interpreted, those that others need first
	Units   []*Part
	Imports []*types.Package // compiled packages whose members are used
	Used    []types.Object   // the functions and variables of Imports and Guard that the code names
	Vars    []*Var           // variables of earlier cells
	// types whose methods may be called through interfaces, beside those that the code converts
	Types   []types.Type
	GoPanic func(value any, trace []Frame) // Hooks.GoPanic for goroutines of this program, on whatever goroutine
	Stop    func() bool                    // the program is not wanted any more: asked between steps of Compile
}

// Unit is a package that exists as syntax: a cell, or the interpreted part of a compiled package.
type Unit struct {
	Pkg     *types.Package
	Info    *types.Info
	Decls   []ast.Decl                    // of a cell: all; else the declarations of variables and init functions
	Funcs   map[*types.Func]*ast.FuncDecl // functions and methods with their declarations
	Ready   bool                          // the variables exist: Decls are not needed any more
	Imports []*Unit                       // packages of modules, which are initialised before it
	// of Go, when not the newest, "go1.21": it says how loops make their variables
	Version string
	needs   map[*ast.FuncDecl]*Needs // filled as they are asked for
	Named   bool                     // of a cell: it declares types or constants
}

// Part is what a program takes of a unit.
type Part struct {
	*Unit
	Funcs []*ast.FuncDecl
	Init  bool // declare and initialise the variables too
}

// Var is a variable that lives outside the program. Obj belongs to a package that declares nothing but such variables.
type Var struct {
	Obj  *types.Var
	Addr reflect.Value // a pointer

	Zero *types.Var // a variable of the same type that is never written
}
