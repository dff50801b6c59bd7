// Package modules finds packages that cells import beside those which are compiled into the program: of the user's own
// modules, which are read where they are, and of others, which the go command resolves and fetches. It lists what they
// are made of and remembers what has been made of them; who parses and checks them is package interp.
package modules

import (
	"errors"
	"go/types"
	"io"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Set is the modules that a session can import from, beside those that are compiled into the program: those of the
// user's own, and those of others. The go command resolves and fetches the latter, by the go.mod and go.sum of a module
// that exists for the session alone, with what the user's go.mod says; so minimal version selection is Go's own.
// Its methods may be called from any goroutine.
type Set struct {
	dir       string            // the directory of the notebook or program, or ""
	sources   map[string]Source // packages whose source the program brings
	installed map[string]bool   // those that are compiled into it; nobody writes it any more

	mu       sync.Mutex                      // guards what follows, and the state of packages
	mod, sum []byte                          // the session's module; nil before they are needed
	found    map[string]*Package             // packages by import path, with all that they import
	paths    []string                        // of the modules that were fetched
	names    map[string]string               // import paths of the packages of fetched modules, with the packages' names
	made     map[types.Type]bool             // types whose run-time forms exist, with their methods
	units    map[*types.Package]*engine.Unit // those of packages that have been loaded, also before their files changed
	progress io.Writer                       // where the go command's messages go; nil means standard error
	own      *workspace                      // the user's modules; nil before they are needed
	ownErr   error                           // why they cannot be read
	added    []localModule                   // by AddDir
	visit    int                             // counts walks over the packages
}

// New returns the modules of a session in dir, "" for none, whose program brings the packages in sources and has those
// in installed compiled into it.
func New(dir string, sources map[string]Source, installed map[string]bool) (*Set, error) {
	m := &Set{
		dir: dir, sources: sources, installed: installed,
		found: map[string]*Package{}, names: map[string]string{}, made: map[types.Type]bool{}, units: map[*types.Package]*engine.Unit{},
	}
	return m, m.addSources()
}

// Package is a package as the go command lists it. What is exported does not change.
type Package struct {
	ImportPath string
	Name       string
	Dir        string
	Standard   bool
	GoFiles    []string
	SFiles     []string // assembly
	Imports    []string
	EmbedFiles []string // or patterns of such
	ImportMap  map[string]string
	Module     *struct{ Path, Version, GoVersion string }
	Error      *struct{ Err string }

	IgnoredGoFiles []string
	unit           *engine.Unit // once it is loaded
	loading        bool
	failed         error // why it cannot be

	local   *localModule // of a package that was listed without the go command, the module
	sum     string       // of its files
	visited int
}

// ErrNoGo is returned when modules are wanted on a machine without the go command.
var ErrNoGo = errors.New("modules are fetched by the go command, which is not in the PATH: install Go from https://go.dev/dl")

// PureTags select the parts of packages that need neither assembly nor functions of Go's runtime, where packages offer
// them.
const PureTags = "purego,noasm,arrow_json_stdlib"

// pureArch is an architecture of 64 bits, little-endian as those that Go programs mostly run on, for which few packages
// have assembly: what a package offers there is its plain Go. It is asked only for packages whose files need assembly
// otherwise.
const pureArch = "mips64le"

// safeTag selects, in some of these packages, what does not borrow functions of Go's runtime.
const safeTag = "safe"

// module is the module that has the package path, "" when none has. (The go command would fetch one.)
func (m *Set) module(path string) (longest string) {
	for _, p := range m.paths {
		if (path == p || strings.HasPrefix(path, p+"/")) && len(p) > len(longest) {
			longest = p
		}
	}
	return longest
}
