// Package table is the list of packages that cells see. It stands apart from package symbols so that the generator,
// which writes that package, needs none of it.
//
// Start with [Packages]. The package must not import what it lists.
package table

// Package is a package and the name that cells know it by.
type Package struct {
	Name, Path string
	// Generic has the files of the package with its generic functions, which the engine interprets from source, as one:
	// compiled code has no instances of them. Of the package's other files they must need exported names only.
	Generic []string
	Hidden  bool // it is there for others: cells need an import line
}

const (
	module  = "github.com/arrayrepl/arrayrepl/"
	echarts = "github.com/go-echarts/go-echarts/v2/"
	gonum   = "gonum.org/v1/gonum/"
	testify = "github.com/stretchr/testify/"
	plot    = "gonum.org/v1/plot"
	arrow   = "github.com/apache/arrow-go/v18/arrow"
)

// Packages may be used in cells without importing them. A new package is one line here, and go generate.
var Packages = []Package{
	{Name: "np", Path: module + "lazy", Generic: []string{"generic.go"}},
	{Name: "arrays", Path: module + "arrays", Generic: []string{"generic.go"}},
	{Name: "frames", Path: module + "lazy/frames"},
	{Name: "gpu", Path: module + "gpu", Generic: []string{"generic.go", "groups.go", "matrices.go"}},
	{Name: "dp", Path: module + "gpu/dp"},
	{Name: "ski", Path: module + "gpu/dp/ski"},
	{Name: "brook", Path: module + "gpu/brook", Generic: []string{"generic.go"}},
	{Name: "sparse", Path: module + "gpu/sparse"},
	{Name: "emulate", Path: module + "gpu/emulate", Hidden: true},
	{Name: "puzzle", Path: module + "gpu/puzzle"},
	{Name: "viz", Path: module + "viz"},
	{Name: "display", Path: module + "kernel/display", Generic: []string{"generic.go"}},
	{Name: "widgets", Path: module + "kernel/widgets"},
	{Name: "offload", Path: module + "offload", Generic: []string{"generic.go"}},
	{Name: "simgpu", Path: module + "simgpu"},
	{Name: "trace", Path: module + "offload/trace"},
	{Name: "mempool", Path: module + "offload/mempool", Hidden: true},
	{Name: "disk", Path: module + "offload/storage", Hidden: true},
	{Name: "storage", Path: module + "lazy/storage"},
	{Name: "learn", Path: module + "lazy/learn"},
	{Name: "stat", Path: module + "lazy/gonum/stat", Hidden: true},
	{Name: "floats", Path: module + "lazy/gonum/floats", Hidden: true},
	{Name: "mat", Path: module + "lazy/gonum/mat", Hidden: true},
	{Name: "charts", Path: echarts + "charts", Hidden: true}, // of viz.EChart, whose options they change
	{Name: "components", Path: echarts + "components", Hidden: true},
	{Name: "opts", Path: echarts + "opts", Hidden: true},
	{Name: "types", Path: echarts + "types", Hidden: true},
	{Name: "celltest", Path: module + "kernel/celltest", Hidden: true}, // of interp, for t
	// what Go's data people import; a name is of our own where two packages have one
	{Name: "gonummat", Path: gonum + "mat", Hidden: true},
	{Name: "gonumblas", Path: gonum + "blas", Hidden: true}, // of mat's types
	{Name: "gonumblas64", Path: gonum + "blas/blas64", Hidden: true},
	{Name: "gonumstat", Path: gonum + "stat", Hidden: true},
	{Name: "distuv", Path: gonum + "stat/distuv", Hidden: true},
	{Name: "gonumfloats", Path: gonum + "floats", Hidden: true},
	{Name: "scalar", Path: gonum + "floats/scalar", Hidden: true},
	{Name: "optimize", Path: gonum + "optimize", Hidden: true},
	{Name: "integrate", Path: gonum + "integrate", Hidden: true},
	{Name: "quad", Path: gonum + "integrate/quad", Hidden: true},
	{Name: "interp", Path: gonum + "interp", Hidden: true},
	{Name: "fd", Path: gonum + "diff/fd", Hidden: true},
	{Name: "fourier", Path: gonum + "dsp/fourier", Hidden: true},
	{Name: "dspwindow", Path: gonum + "dsp/window", Hidden: true},
	{Name: "graph", Path: gonum + "graph", Hidden: true},
	{Name: "simple", Path: gonum + "graph/simple", Hidden: true},
	{Name: "path", Path: gonum + "graph/path", Hidden: true},
	{Name: "topo", Path: gonum + "graph/topo", Hidden: true},
	{Name: "traverse", Path: gonum + "graph/traverse", Hidden: true},
	{Name: "r2", Path: gonum + "spatial/r2", Hidden: true},
	{Name: "r3", Path: gonum + "spatial/r3", Hidden: true},
	{Name: "kdtree", Path: gonum + "spatial/kdtree", Hidden: true},
	{Name: "plot", Path: plot, Hidden: true},
	{Name: "plotter", Path: plot + "/plotter", Hidden: true},
	{Name: "plotutil", Path: plot + "/plotutil", Hidden: true},
	{Name: "palette", Path: plot + "/palette", Hidden: true},
	{Name: "moreland", Path: plot + "/palette/moreland", Hidden: true},
	{Name: "plotfont", Path: plot + "/font", Hidden: true},
	{Name: "plottext", Path: plot + "/text", Hidden: true},
	{Name: "vg", Path: plot + "/vg", Hidden: true},
	{Name: "vgdraw", Path: plot + "/vg/draw", Hidden: true},
	{Name: "vgimg", Path: plot + "/vg/vgimg", Hidden: true},
	{Name: "vgsvg", Path: plot + "/vg/vgsvg", Hidden: true},
	{Name: "vgpdf", Path: plot + "/vg/vgpdf", Hidden: true},
	{Name: "arrow", Path: arrow, Hidden: true},
	{Name: "arrowarray", Path: arrow + "/array", Hidden: true},
	{Name: "arrowmemory", Path: arrow + "/memory", Hidden: true},
	{Name: "arrowipc", Path: arrow + "/ipc", Hidden: true},
	{Name: "decimal128", Path: arrow + "/decimal128", Hidden: true},
	{Name: "decimal256", Path: arrow + "/decimal256", Hidden: true},
	{Name: "assert", Path: testify + "assert", Hidden: true},
	{Name: "require", Path: testify + "require", Hidden: true},
}
