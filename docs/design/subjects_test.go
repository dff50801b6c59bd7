package design

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// subject is a section of a package's page: what the files of these names export.
type subject struct{ title, files string }

// subjects are the sections of the pages that list more than a person reads through, in their order.
var subjects = map[string][]subject{
	"arrays": {
		{"Arrays and their elements", "array operand generic dtype dtypeinfo promote unit fromslice errors try matrix values layout poll headroom numpynames"},
		{"Creation", "create create_like create_spaced create_matrices rng"},
		{"Elementwise functions", "zz_ufuncs elementwise rounding bits comparison methods deprecated ufunc apply into mapfunc"},
		{"Reductions and statistics", "reduce_functions reduce_spec nan statistics quantile quantile_methods counting histograms frequencies optionvalues"},
		{"Indices, slices and assignment", "slice indices choosing set searching view_methods"},
		{"Shapes", "reshape broadcast join stacking rearrange editing padding padmode"},
		{"Order and sets", "sort sort_partition uniques sets"},
		{"Running sums and differences", "cumulate differences interpolation signal window"},
		{"Linear algebra", "matmul products factors linalg_decompose linalg_matrix linalg_norms linalg_solve routine"},
		{"Fourier transforms and polynomials", "fft polynomial"},
		{"Files, tables and pictures", "arrow csv csvcolumns csvoptions csvwrite json json_records json_recordswrite npy npy_file npy_ranges npz unpack image pixels"},
		{"Printing", "print_options"},
	},
	"lazy": {
		{"Placeholders", "apply array fromarray eval records object values generic view wiring"},
		{"Devices and how expressions are computed", "runtime launch explain fusiongroups mapfunc annotate routines rng"},
		{"Files beyond memory", "openfile writable streamed create files"},
	},
	"gpu": {
		{"Launches", "launch function report stream hazards compare corpus lines accesses check orders graph fromkernel launchtree spaces"},
		{"Places of threads, barriers, and what a warp does together", "cluster thread"},
		{"Memory, atomics and exchange between lanes", "generic groups matrices buffer pinned variable constant managed"},
		{"Functions of float32, and numbers of 16 and 8 bits", "float32 approx half small matrix"},
		{"Kernels in CUDA C and PTX", "module"},
	},
	"viz": {
		{"Charts of data", "plots boxplot contour heatmap surface grid echarts"},
		{"Charts of evaluations", "timeline gantt breakdown hierarchy taskgraph transfermap links places candidates policies transfers memory paging sweep depths compare"},
		{"Charts of launches", "accesses spaces faults lanework launchmap linewaits issue occupancy occupancysm reconvergence states roofline source stalls issuebins window"},
		{"Settings, forms and files", "settings chart scale formats html reproducible save script"},
	},
	"kernel/display": {
		{"Values and what shows them", "of bundle rules gotext typename kinds endless"},
		{"Constructors", "values media arrange generic gophernotes"},
		{"Output while a cell runs", "publish progress captured watch"},
		{"Clients and terminals", "screen wrap clip ansi reproducible"},
	},
	"kernel/widgets": {
		{"Controls and what is shown", "list types trait control"},
		{"A function with controls", "interact"},
		{"Layout and output", "boxes base"},
		{"The protocol", "comm model"},
	},
	"offload": {
		{"Runtime and tasks", "runtime run task value default memory memoryuse progress"},
		{"Annotated functions and split types", "annotation generic divider unify cost"},
		{"Where and in which pieces work runs", "placing forecast links paging piecesize streamed tileform tiling eachpolicy preset trigger"},
	},
	"simgpu": {
		{"Machines", "gpu preset presets register custom check warm lacks area sfu"},
		{"Lanes that part", "divergence frontier mimd sbi dwf group lanemap pickers pickercall mask"},
		{"Schedulers, blocks and order", "issuepolicy score coissue ctas loadorder box oracle order policyerror window"},
		{"Occupancy and memory", "occupancy coalesce"},
	},
}

// TestSubjects: go doc lists what large packages export by subject, in a file of the package that -update writes: each
// name once.
func TestSubjects(t *testing.T) {
	arraysOf := map[string]string{} // the subject of a name of package arrays
	for _, dir := range []string{"arrays", "lazy", "gpu", "viz", "kernel/display", "kernel/widgets", "offload", "simgpu"} {
		list := subjects[dir]
		if dir == "lazy" { // what mirrors arrays has its subjects
			list = append(slices.Clone(list), subjects["arrays"]...)
		}
		names := map[string][]string{}
		for file, exported := range exportedNames(t, filepath.Join("../..", dir)) {
			for _, name := range exported {
				title, ok := arraysOf[name], false
				if dir != "lazy" || title == "" {
					title, ok = subjectOf(subjects[dir], file)
					require.True(t, ok, "%s/%s.go exports %s and has no subject: docs/design/subjects_test.go lists them", dir, file, name)
				}
				names[title] = append(names[title], name)
				if dir == "arrays" {
					arraysOf[name] = title
				}
			}
		}
		var b strings.Builder
		fmt.Fprintf(&b, "// Code generated by go test ./docs/design -run Subjects -update; DO NOT EDIT.\n\n")
		for _, s := range list {
			if len(names[s.title]) == 0 {
				continue
			}
			slices.Sort(names[s.title])
			fmt.Fprintf(&b, "// # %s\n//\n", s.title)
			line := "//"
			for i, name := range names[s.title] {
				word := " [" + name + "]" + map[bool]string{true: ".", false: ","}[i == len(names[s.title])-1]
				if len(line)+len(word) > 118 {
					fmt.Fprintln(&b, line)
					line = "//"
				}
				line += word
			}
			fmt.Fprintf(&b, "%s\n//\n", line)
		}
		text := strings.TrimSuffix(b.String(), "//\n") + "package " + filepath.Base(dir) + "\n"
		out, err := format.Source([]byte(text))
		require.NoError(t, err)
		path := filepath.Join("../..", dir, "zz_subjects.go")
		if *update {
			require.NoError(t, os.WriteFile(path, out, 0o644))
			continue
		}
		have, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(out), string(have), "%s: go test ./docs/design -run Subjects -update writes it", path)
	}
}

func subjectOf(list []subject, file string) (string, bool) {
	for _, s := range list {
		if slices.Contains(strings.Fields(s.files), file) {
			return s.title, true
		}
	}
	return "", false
}

// exportedNames are the functions and types that a package exports, by the names of their files.
func exportedNames(t *testing.T, dir string) map[string][]string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	out := map[string][]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		base := strings.TrimSuffix(filepath.Base(file), ".go")
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					out[base] = append(out[base], d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
						out[base] = append(out[base], s.Name.Name)
					}
				}
			}
		}
	}
	for base := range out {
		slices.Sort(out[base])
		out[base] = slices.Compact(out[base]) // files for several systems
	}
	return out
}
