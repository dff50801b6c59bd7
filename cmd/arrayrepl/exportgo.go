package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	versions "golang.org/x/mod/module"

	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/interp/program"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// module is the path of this module, which exported programs import.
const module = "github.com/arrayrepl/arrayrepl"

// support is what exported programs need for the project's packages: the devices that newSession registers, values that
// show as their plain text, and the programs of the corpus.
var support = []program.Support{
	{
		Import: module + "/lazy",
		Main:   "$useDevices()\n",
		Code: `// $useDevices makes the notebook's devices known, and its default the one that runs kernels.
func $useDevices() {
	registry := new($"` + module + `/offload/device".Registry)
	registry.Add("host", func() ($"` + module + `/offload/device".Device, error) { return $"` + module + `/offload/host".Open(0), nil })
	$"` + module + `/offload/cm".Register(registry)
	$"` + module + `/simgpu".Register(registry)
	$"` + module + `/cudabackend".Register(registry)
	rt, err := $"` + module + `/offload".New(registry, "` + defaultDevice + `")
	if err != nil {
		panic(err)
	}
	$"` + module + `/lazy".Wiring{}.SetRuntime(rt)
}`,
	},
	{
		Import: module + "/kernel/display",
		Main:   `$"` + module + `/kernel/display".SetPublisher($printer{})` + "\n",
		Code: `// $show prints the plain text that values have in the notebook.
func $show(values ...any) {
	for i, v := range values {
		b, err := $"` + module + `/kernel/display".Of(v)
		if err != nil {
			panic(err)
		}
		if i > 0 {
			$"fmt".Print(" ")
		}
		$"fmt".Print(b.Text())
	}
	$"fmt".Println()
}

// $printer prints the plain text of what display.Show shows.
type $printer struct{}

// Publish is called for each value.
func ($printer) Publish(b $"` + module + `/kernel/display".Bundle) { $"fmt".Println(b.Text()) }`,
	},
	{
		Import: module + "/gpu",
		Names:  []string{"Corpus", "Programs"},
		Blank:  []string{module + "/gpu/corpus"},
	},
}

// exportGo writes a notebook as a Go program with its go.mod: a directory, or a file when dest ends in .go.
func exportGo(nb *notebook.Notebook, path, dest string) error {
	name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
	if dest == "" {
		dest = strings.TrimSuffix(path, ".ipynb")
	}
	alias = writtenFor(nb)
	s, err := newSession()
	if err != nil {
		return err
	}
	var cells []program.Cell
	text := ""
	for _, c := range nb.Cells {
		switch {
		case c.Type == "markdown":
			text += "\n\n" + c.Source
		case c.Type == "code" && strings.TrimSpace(c.Source) != "" && !c.HasTag("skip-execution"):
			cells = append(cells, program.Cell{Number: len(cells) + 1, Source: c.Source, Text: text})
			text = ""
		}
	}
	out, err := program.Export(s, cells, program.Options{Name: filepath.Base(path), Show: module + "/kernel/display", Support: support})
	if err != nil {
		return err
	}
	file, dir := dest, filepath.Dir(dest)
	if filepath.Ext(dest) != ".go" {
		file, dir = filepath.Join(dest, "main.go"), dest
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	generate := ""
	if givesKernels(out.Source) {
		generate = " && go generate"
		out.Source = bytes.Replace(out.Source, []byte("\npackage main\n"), []byte("\npackage main\n\n//go:generate go run "+module+"/gpu/kernelgen\n"), 1)
	}
	if err := replace.Bytes(file, out.Source); err != nil {
		return err
	}
	fmt.Println("Wrote", file)
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, os.ErrNotExist) {
		if err := replace.Bytes(mod, []byte(goMod(name, out))); err != nil {
			return err
		}
		fmt.Println("Wrote", mod)
	}
	for _, note := range out.Notes {
		fmt.Println("Note:", note)
	}
	if slices.ContainsFunc(out.Imports, outside) {
		from := ""
		if root, ok := workingCopy(); ok && uses(out) {
			from = " && go mod edit -replace " + module + "=" + quoted(root)
		}
		fmt.Printf("Before the first build: cd %s%s && go mod tidy%s\n", quoted(dir), from, generate)
	}
	return nil
}

// givesKernels reports whether a program has calls that need the source of a function, which a step of go generate
// writes for it. A method counts where the package of its type is imported: other types have a Map or a Launch, too.
func givesKernels(source []byte) bool {
	return slices.ContainsFunc(gosrc.Takers(), func(taker string) bool {
		pkg, name, _ := strings.Cut(taker, ".")
		call := `\b` + pkg + `\.` + name
		if _, method, is := strings.Cut(name, "."); is {
			if !bytes.Contains(source, []byte("/"+pkg+`"`)) {
				return false
			}
			call = `\.` + method
		} else if pkg == "lazy" {
			call = `\b(np|lazy)\.` + name
		}
		return regexp.MustCompile(call + `\(`).Match(source)
	})
}

// outside reports whether an import path is not the standard library's.
func outside(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// goMod is the go.mod of an exported program. It names no directory of this machine, as it may go to others.
func goMod(name string, out *program.Exported) string {
	text := "module " + regexp.MustCompile(`[^A-Za-z0-9_-]+`).ReplaceAllString(name, "-") + "\n\ngo 1.26\n"
	if len(out.Modules) > 0 {
		text += "\nrequire (\n\t" + strings.Join(out.Modules, "\n\t") + "\n)\n"
	}
	if !uses(out) {
		return text
	}
	v := version()
	if _, unreleased := workingCopy(); unreleased || !strings.HasPrefix(v, "v") {
		v = "v0.0.0"
	}
	return text + "\nrequire " + module + " " + v + "\n"
}

// uses reports whether an exported program uses packages of this module.
func uses(out *program.Exported) bool {
	return slices.ContainsFunc(out.Imports, func(path string) bool { return strings.HasPrefix(path, module+"/") })
}

// workingCopy is where this program was built from, when it was built there from what need not be published: a clean
// working copy has the version of its commit.
func workingCopy() (root string, ok bool) {
	if v := version(); strings.HasPrefix(v, "v") && !versions.IsPseudoVersion(v) {
		return "", false
	}
	_, source, _, _ := runtime.Caller(0)
	root = filepath.Dir(filepath.Dir(filepath.Dir(source)))
	_, err := os.Stat(filepath.Join(root, "go.mod"))
	return root, err == nil && filepath.IsAbs(root)
}
