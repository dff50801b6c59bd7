package engine

import (
	"errors"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// The names that lowered cells use. The dot in them is not a letter, so a cell cannot write or shadow them.
const (
	EntryName  = "cell·"   // the function that holds a cell's statements
	StopName   = "stop·"   // var bool: leave, at the next loop turn or call
	DeadName   = "dead·"   // var bool: this run of this cell was given up
	AtName     = "at·"     // var int: the declaring statements that have run
	ExitName   = "exit·"   // func(): end this goroutine
	ShowName   = "show·"   // func(...any): display the cell's last expression
	IgnoreName = "ignore·" // func(...any): evaluate and show nothing
	GivenName  = "given·"  // func(int, any) any: what a callee gets in the place of a func; see Functions
	GuardPath  = "guard·"  // the package that they belong to
)

// Traced maps functions that end a process or a goroutine to names that do so with a trace. The engine gives a function
// its caller's frame only when it is called directly, not in go and defer statements or as a value.
var Traced = map[string]string{"os.Exit": "osExit·", "syscall.Exit": "syscallExit·", "runtime.Goexit": "goexit·"}

// Goexit is what Hooks.Exit is told of a goroutine that ends itself.
const Goexit = "runtime.Goexit"

// CellPath is the package path of every cell: unexported fields and methods are accessible where paths are equal.
const CellPath = "main"

// IsCell reports whether pkg is a cell, or the home of cells' variables.
func IsCell(pkg *types.Package) bool {
	return pkg.Path() == CellPath || strings.Contains(pkg.Path(), "·")
}

// HiddenSuffix is what is added to names that a later cell hides.
var HiddenSuffix = lazyregexp.New(`(\w)·(\d+|before)`)

// ErrStopped is what an engine returns when Program.Stop says that nobody wants the program.
var ErrStopped = errors.New("it is not wanted any more")

// LargeAllocation is the least that is checked before it is made; what is made in small steps is watched.
const LargeAllocation = 1 << 20
