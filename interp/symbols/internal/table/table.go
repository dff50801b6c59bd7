// Package table is the list of packages that cells see. It stands apart from package symbols so that the generator, which
// writes that package, needs none of it.
//
// Start with [Packages]. The package must not import what it lists.
package table

// Package is a package and the name that cells know it by.
type Package struct{ Name, Path string }

const module = "github.com/arrayrepl/arrayrepl/"

// Packages may be used in cells without importing them. A new package is one line here, and go generate.
var Packages = []Package{
	{"np", module + "lazy"},
	{"arrays", module + "arrays"},
	{"viz", module + "viz"},
	{"display", module + "kernel/display"},
	{"widgets", module + "kernel/widgets"},
	{"offload", module + "offload"},
	{"trace", module + "offload/trace"},
}
