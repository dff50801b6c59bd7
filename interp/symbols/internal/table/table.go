// Package table is the list of packages that cells see. It stands apart from package symbols so that the generator,
// which writes that package, needs none of it.
//
// Start with [Packages]. The package must not import what it lists.
package table

// Package is a package and the name that cells know it by.
type Package struct {
	Name, Path string
	// Generic is a file of the package with its generic functions, which the engine interprets from source: compiled
	// code has no instances of them. It must need exported names only.
	Generic string
	Hidden  bool // it is there for others: cells need an import line
}

const (
	module  = "github.com/arrayrepl/arrayrepl/"
	echarts = "github.com/go-echarts/go-echarts/v2/"
)

// Packages may be used in cells without importing them. A new package is one line here, and go generate.
var Packages = []Package{
	{Name: "np", Path: module + "lazy", Generic: "generic.go"},
	{Name: "arrays", Path: module + "arrays", Generic: "generic.go"},
	{Name: "frames", Path: module + "lazy/frames"},
	{Name: "gpu", Path: module + "gpu", Generic: "generic.go"},
	{Name: "dp", Path: module + "gpu/dp"},
	{Name: "ski", Path: module + "gpu/dp/ski"},
	{Name: "sparse", Path: module + "gpu/sparse"},
	{Name: "emulate", Path: module + "gpu/emulate", Hidden: true},
	{Name: "puzzle", Path: module + "gpu/puzzle"},
	{Name: "viz", Path: module + "viz"},
	{Name: "display", Path: module + "kernel/display", Generic: "generic.go"},
	{Name: "widgets", Path: module + "kernel/widgets"},
	{Name: "offload", Path: module + "offload", Generic: "generic.go"},
	{Name: "simgpu", Path: module + "simgpu"},
	{Name: "trace", Path: module + "offload/trace"},
	{Name: "mempool", Path: module + "offload/mempool", Hidden: true},
	{Name: "learn", Path: module + "lazy/learn"},
	{Name: "stat", Path: module + "lazy/gonum/stat", Hidden: true},
	{Name: "floats", Path: module + "lazy/gonum/floats", Hidden: true},
	{Name: "mat", Path: module + "lazy/gonum/mat", Hidden: true},
	{Name: "charts", Path: echarts + "charts", Hidden: true}, // of viz.EChart, whose options they change
	{Name: "components", Path: echarts + "components", Hidden: true},
	{Name: "opts", Path: echarts + "opts", Hidden: true},
	{Name: "types", Path: echarts + "types", Hidden: true},
}
