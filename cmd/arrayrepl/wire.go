package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/arrays/blas"
	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/docs"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/gonb"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/magic"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/cm"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/viz"
)

// defaultDevice runs kernels until a cell calls np.Use: the GPU that everyone has.
const defaultDevice = "sim:v100"

// devices returns the registry of everything that can run kernels.
func devices() *device.Registry {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	cm.Register(r)
	simgpu.Register(r)
	cudabackend.Register(r, gpuWorker()...)
	return r
}

// newSession makes the session of this process: its cells may import from the module that its notebook is in, or else
// the working directory.
func newSession() (*magic.Session, error) {
	if openNotebook != "" {
		return newSessionIn(filepath.Dir(openNotebook))
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // it has been removed
	}
	return newSessionIn(dir)
}

// newSessionIn puts devices, runtime and interpreter together, for a notebook or program in dir. One process has one
// session.
func newSessionIn(dir string) (*magic.Session, error) {
	if err := blas.Use(os.Getenv(blas.Variable)); err != nil {
		return nil, fmt.Errorf("%w (%s names it)", err, blas.Variable)
	}
	rt, err := offload.New(devices(), defaultDevice)
	if err != nil {
		return nil, err
	}
	lazy.Wiring{}.SetRuntime(rt)
	symbols.Register()
	s, err := interp.New(interp.Options{
		GoText: true,
		Engine: engines[engine](), Packages: symbols.Packages(), Short: map[string]string{"Display": "display.Show"}, Docs: symbols.Docs(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}, Evaluate: evaluate, Underway: arrays.Wiring{}.Underway,
		Hint: hint, MemoryLimit: budget.Free() / 5 * 4, Dir: dir, Sources: gonb.Sources(),
	})
	if err != nil {
		return nil, err
	}
	rt.Context = s.Context
	rt.Here = func() any {
		if p := s.Here(); p != nil {
			return p
		}
		return nil
	}
	rt.Warn = func(message string) { fmt.Fprintln(os.Stderr, message) }
	rt.Cell = func() int { return interp.CellNumber(s.Context()) }
	rt.Progress = func(label string, total int) offload.Progress { return display.NewPassing(label, total) }
	simgpu.Wiring{}.SetMethods(ixgo.Method)
	gpu.Wiring{}.NameVariables(s.VariableAt, s.UsersOf)
	arrays.TuneCollector()
	arrays.Wiring{}.OnPoll(func() {
		if err := s.Context().Err(); err != nil {
			panic(err)
		}
	})
	budget.Ask(s.CheckMemory)
	return magic.New(s, magic.Options{ReadNotebook: loadNotebook, FreeMemory: budget.Free, Doc: describe(s), Pages: docs.Help(), PageNames: docs.Names(), Carried: carriedHere, Version: version(), GoNB: alias == "gonb", AutoGet: alias != ""}), nil
}

// evaluate computes an array that a cell prints.
func evaluate(v any) {
	if a, ok := v.(*lazy.Array); ok && a != nil {
		a.Array()
	}
}

// session is a magic.Session as the kernel wants it.
type session struct{ *magic.Session }

func (s session) Language() kernel.Language {
	return kernel.Language{
		Name: "go", Version: "1.26", MIMEType: "text/x-go", FileExtension: ".go", PygmentsLexer: "go", CodeMirrorMode: "go",
		Banner: banner(), Help: helpLinks(), More: map[string]any{versionField: version()},
	}
}

func (s session) Execute(ctx context.Context, cell kernel.Cell, out kernel.Output) (display.Bundle, error) {
	viz.BeginCell(cell.ID, cell.Count)
	noteAge.Do(func() { out.Stream("stderr", openNote()) })
	b, err := s.RunCell(ctx, interp.Cell{Number: cell.Count, Source: cell.Code, Transient: cell.Transient})
	return b, cellError(err)
}

// Call runs f as a cell, with the interpreter's guards around it: what a widget calls is the cells' code.
func (s session) Call(ctx context.Context, f func()) error {
	return cellError(s.Session.Call(ctx, f))
}

// cellError is an error of the interpreter as the kernel wants it.
func cellError(err error) error {
	var failed *interp.Error
	if errors.As(err, &failed) {
		return &kernel.CellError{Name: failed.Kind, Value: failed.Message, Traceback: failed.Lines(true)}
	}
	return err
}

func (s session) Complete(code string, cursor int) kernel.Completion {
	c := s.Session.Complete(code, cursor)
	out := kernel.Completion{Start: c.Start, End: c.End}
	for _, m := range c.Matches {
		out.Matches, out.Types = append(out.Matches, m.Text), append(out.Types, m.Type)
		out.Signatures, out.Docs = append(out.Signatures, m.Signature), append(out.Docs, m.Doc)
	}
	return out
}

func (s session) Inspect(code string, cursor, detail int) (display.Bundle, bool) {
	d, ok := s.Session.Describe(code, cursor, detail)
	if !ok {
		return display.Bundle{}, false
	}
	b := display.Text(d.Plain())
	b.Data[display.TypeMarkdown] = d.Markdown()
	return b, true
}

func (s session) IsComplete(code string) kernel.Completeness {
	status, indent := s.Session.IsComplete(code)
	return kernel.Completeness{Status: status, Indent: indent}
}

func (s session) Explore(path []string) (out []kernel.Variable, err error) {
	all, err := s.Session.Explore(path)
	for _, v := range all {
		out = append(out, kernel.Variable(v))
	}
	return out, err
}

func banner() string {
	return "arrayrepl " + version() + ", Go 1.26 in cells, arrays as np, charts as viz. Kernels run on " + defaultDevice + `; np.Use("host") changes that.`
}

// parseArgs parses flags wherever they stand among the arguments, up to "--", and returns the other arguments.
func parseArgs(flags *flag.FlagSet, args []string) (rest []string) {
	var plain []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, plain = args[:i], args[i+1:]
	}
	for {
		flags.Parse(args)
		if flags.NArg() == 0 {
			return append(rest, plain...)
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// describe answers %doc for what is not Go: pages of the documentation and terms of the glossary, where no cell has
// declared such a name, and names of NumPy, as numpy.argsort. Without a name it lists the pages and the terms.
func describe(s *interp.Session) func(name string) (display.Bundle, bool) {
	return func(name string) (display.Bundle, bool) {
		if strings.HasPrefix(name, "numpy.") || namesNumPy(s, name) {
			return display.Text(numPyDoc(s, name)), true
		}
		if _, declared := s.Names()[name]; declared {
			return display.Bundle{}, false
		}
		text, ok := docs.Page(name)
		switch {
		case name == "":
			text, ok = docs.Index(), true
		case !ok:
			text, ok = docs.Term(name)
		}
		b := display.Text(display.Wrapped(docs.Plain(text)))
		b.Data[display.TypeMarkdown] = text
		return b, ok
	}
}

// helpLinks are what Jupyter shows under Help while this kernel runs.
func helpLinks() (links []kernel.HelpLink) {
	for _, page := range []struct{ title, name string }{
		{"arrayrepl: documentation", "README"}, {"Arrays for NumPy users", "arrays-for-numpy-users"},
		{"Writing kernels", "kernels"}, {"Reading the charts", "charts"},
	} {
		links = append(links, kernel.HelpLink{Text: page.title, URL: docs.Address(page.name)})
	}
	return links
}
