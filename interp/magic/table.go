package magic

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/nearest"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Magic is one entry of the table.
type Magic struct {
	Name string // "%time"; one whose name begins with %% gets the rest of the cell
	Arg  string // as %help shows it; in square brackets when it may be left out, "" for none
	Help string // one line
	For  string // the kernel whose notebooks have it, for a magic that nobody else needs: %help leaves it out

	// Run does the work. An error that is no *interp.Error gets the magic's name and line.
	Run func(*Call) (display.Bundle, error)
	// Complete returns what may stand for the last word of the argument, text, up to the cursor. Nil knows nothing.
	Complete func(s *Session, text string) []interp.Match
	// Go says that the argument is Go: it is completed and inspected as such.
	Go bool
}

func (m *Magic) usage() string {
	switch {
	case m.Name == ":" || m.Name == "?":
		return m.Arg + m.Name
	case strings.HasPrefix(m.Name, "%%"):
		return strings.TrimSpace(m.Name+" "+m.Arg) + ", with the rest of the cell below it"
	}
	return strings.TrimSpace(m.Name + " " + m.Arg)
}

// Table returns the magics of this package in the order of %help.
func Table() []Magic {
	return []Magic{
		{Name: "%time", Arg: "GO", Help: "run a line of Go and say how long it took", Run: timeLine, Go: true},
		{Name: "%%time", Help: "run the cell and say how long it took", Run: timeCell, Go: true},
		{Name: "%timeit", Arg: "[-n LOOPS] [-r RUNS] GO", Help: "run a line of Go many times: mean, deviation and best time", Run: timeitLine, Go: true},
		{Name: "%%timeit", Arg: "[-n LOOPS] [-r RUNS] [SETUP]", Help: "the same for the cell; SETUP runs first, untimed", Run: timeitCell, Go: true},
		{Name: "!", Arg: "COMMAND", Help: "run a command of the shell; $ COMMAND does the same", Run: shellLine, Complete: completeFile},
		{Name: "%%bash", Arg: "[ARGS]", Help: "run the cell as a script of bash; its failure is the cell's", Run: shellCell},
		{Name: "%%sh", Arg: "[ARGS]", Help: "run the cell as a script of sh", Run: shellCell},
		{Name: "%%script", Arg: "COMMAND", Help: "run a command that reads the cell", Run: scriptCell},
		{Name: "%%writefile", Arg: "[-a] FILE", Help: "write the cell into a file; with -a at its end", Run: writeFile, Complete: completeFile},
		{Name: "%capture", Arg: "[-a] FILE", Help: "write what the cell shows into a file too; with -a at its end", Run: captureOutput, Complete: completeFile},
		{Name: "%%capture", Arg: "[NAME]", Help: "run the cell and keep what it writes and shows in a variable, with Stdout, Stderr and Outputs, in the place of its output", Run: captureCell, Go: true},
		{Name: "%%html", Help: "show the cell as HTML", Run: displayCell},
		{Name: "%%markdown", Help: "show the cell as Markdown", Run: displayCell},
		{Name: "%%latex", Help: "show the cell as formulas of TeX", Run: displayCell},
		{Name: "%%svg", Help: "show the cell as a picture of SVG", Run: displayCell},
		{Name: "%%javascript", Help: "run the cell as a script in the page", Run: displayCell},
		{Name: "%test", Arg: "[FLAGS]", Help: "run the tests and benchmarks that the cell declares, or else all: as go test -v; -test.run=NAME and so on", Run: test},
		{Name: "?", Arg: "NAME", Help: "say what a name is; ?NAME does the same", Run: inspect, Go: true},
		{Name: "%doc", Arg: "[NAME]", Help: "the documentation of a name, a page of it (%doc kernels), or a word (%doc occupancy); alone: a list", Run: doc, Go: true},
		{Name: "%who", Help: "list the names that cells have declared", Run: who},
		{Name: "%whos", Help: "list them with types and values", Run: whos},
		{Name: "%del", Arg: "NAME...", Help: "forget names that cells have declared; what they hid comes back", Run: del, Complete: completeName},
		{Name: "%reset", Arg: "[out]", Help: "forget all names and results and end all jobs; with out the results of cells alone", Run: reset, Complete: words("out")},
		{Name: "%jobs", Help: "list what earlier cells left running: goroutines, listeners, connections, timers, processes", Run: jobs},
		{Name: "%kill", Arg: "NUMBER...|all", Help: "end jobs that %jobs lists", Run: kill, Complete: completeJob},
		{Name: "%cd", Arg: "[DIR]", Help: "change the directory; home without DIR, back with -", Run: cd, Complete: completeDir},
		{Name: "%pwd", Help: "show the directory", Run: pwd},
		{Name: "%env", Arg: "[NAME[=VALUE]]", Help: "show or set a variable of the environment; all without NAME", Run: env, Complete: completeEnv},
		{Name: "%memlimit", Arg: "[SIZE]", Help: "show or set how much memory cells may take: 2GB, 80% of what is free, off", Run: memlimit, Complete: words("off")},
		{Name: "%go", Arg: "GO", Help: "show the plain Go of a line: operators on arrays as calls; nothing runs", Run: plainLine, Go: true},
		{Name: "%%go", Help: "the same for the cell", Run: plainCell, Go: true},
		{Name: "%operators", Arg: "[on|off]", Help: "whether arrays have operators and slices, as x[1:] + 1", Run: operators, Complete: words("on", "off")},
		{Name: "%tier", Arg: "[NAME|on|off|force]", Help: "why a function does not run in the numeric tier; when that is used", Run: tier, Complete: words("on", "off", "force")},
		{Name: "%get", Arg: "MODULE[@VERSION]...", Help: "fetch Go modules, to import their packages: they must be Go alone; or add ./DIR", Run: get, Complete: completeModule},
		{Name: "%autoget", Arg: "[on|off]", Help: "whether imports fetch the modules that the session lacks", Run: autoget, Complete: words("on", "off")},
		{Name: "%data", Arg: "FILE [URL]", Help: "let the notebook carry a file, or name it when it is large; restore it where it is not", Run: data, Complete: completeFile},
		{Name: "%load", Arg: "FILE", Help: "run the cells of a notebook (.ipynb), or a Go file as one cell", Run: load, Complete: completeFile},
		{Name: "%help", Arg: "[NAME]", Help: "show this, or one magic", Run: help, Complete: completeMagic},
		{Name: "%lsmagic", Help: "list the magics' names", Run: lsmagic},
		{Name: mainCell, Arg: "[ARGS]", Help: "the rest of the cell is the body of main, with ARGS in os.Args and its flags parsed", Run: mainPart, Go: true, For: gonb},
		{Name: mainWord, Arg: "[ARGS]", Help: "the same", Run: mainPart, Go: true, For: gonb},
		{Name: "%args", Arg: "[ARGS]", Help: "set os.Args for the cell, whose func main is run", Run: setArguments, For: gonb},
		{Name: "%exec", Arg: "FUNCTION [ARGS]", Help: "set os.Args, parse flags, and call the function", Run: execute, For: gonb},
		{Name: "%ls", Help: "as %who", Run: who, For: gonb},
		{Name: "%list", Help: "as %who", Run: who, For: gonb},
		{Name: "%rm", Arg: "NAME...", Help: "as %del, for names that are declared", Run: remove, Complete: completeName, For: gonb},
		{Name: "%remove", Arg: "NAME...", Help: "as %del, for names that are declared", Run: remove, Complete: completeName, For: gonb},
		{Name: "%with_inputs", Help: "the next command of the shell reads what you answer", Run: withInput, For: gonb},
		{Name: "%with_password", Help: "the same; what you answer is not shown", Run: withInput, For: gonb},
		{Name: "%goflags", Arg: "[FLAGS]", Help: "accepted and shown; does nothing, as cells are interpreted", Run: goFlags, For: gonb},
		{Name: "%goworkfix", Help: "replace modules in the session's go.mod by those that its go.work uses; !* runs commands there", Run: goWorkFix, For: gonb},
		{Name: "%track", Arg: "[FILE]", Help: "accepted; does nothing", Run: ignored, For: gonb},
		{Name: "%untrack", Arg: "[FILE]", Help: "accepted; does nothing", Run: ignored, For: gonb},
		{Name: "%widgets", Help: "accepted; does nothing", Run: ignored, For: gonb},
		{Name: "%widgets_hb", Help: "accepted; does nothing", Run: ignored, For: gonb},
		{Name: "%wasm", Help: "an error: cells run in the kernel, not in the browser", Run: notHere, For: gonb},
		{Name: "%version", Help: "show arrayrepl's version", Run: showVersion, For: gonb},
		{Name: "%go111module", Arg: "[on|off]", Help: "accepted for notebooks of gophernotes; does nothing", Run: ignored, For: "gophernotes"},
		{Name: "%goroot", Arg: "[DIR]", Help: "accepted for notebooks of gophernotes; does nothing", Run: ignored, For: "gophernotes"},
		{Name: ":", Arg: "[COMMAND]", Help: "a command of gomacro: accepted, does nothing", Run: ignored, For: "gophernotes"},
	}
}

// unknown is the complaint about a magic that does not exist, with the names nearest to it.
func (s *Session) unknown(name string) string {
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	plain := strings.TrimLeft(name, "%")
	sigil := name[:len(name)-len(plain)]
	for have, m := range s.table {
		if m.For != "" {
			continue
		}
		bare := strings.TrimLeft(have, "%")
		if d := nearest.Distance(plain, bare); len(bare) > 1 && (d <= 2 && d < len(plain) || plain != "" && strings.HasPrefix(bare, plain)) {
			if have[:len(have)-len(bare)] != sigil {
				d += 10 // rather one that stands in the same place
			}
			near = append(near, candidate{have, d})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		if a.far != b.far {
			return a.far - b.far
		}
		return strings.Compare(a.name, b.name)
	})
	msg := "there is no magic " + name
	if ours := ipython[plain]; ours != "" {
		return msg + "; " + ours
	}
	var names []string
	for i := 0; i < len(near) && i < 3; i++ {
		names = append(names, near[i].name)
	}
	if len(names) > 0 {
		return msg + "; did you mean " + strings.Join(names, " or ") + "?"
	}
	return msg + "; %help lists them"
}

// ipython are magics of IPython that are something else here.
var ipython = map[string]string{
	"matplotlib": "charts need no setting up: viz.Line(x, y) is one", "pylab": "np and viz need no import", "config": "there is nothing to set",
	"pip": "%get fetches Go modules", "conda": "%get fetches Go modules", "run": "%load runs a notebook or a Go file",
	"load_ext": "there are no extensions", "autoreload": "cells call what was declared last", "prun": "%time and %timeit measure",
	"history": "In[3] is the text of cell 3", "precision": "np.SetPrintOptions(np.Precision(3)) does that",
}

// Help is the text of %help: every magic on a line.
func (s *Session) Help() string {
	var b strings.Builder
	for _, m := range s.all {
		name := strings.TrimSpace(m.Name + " " + m.Arg)
		switch {
		case m.Name == "?":
			name = m.Arg + "?"
		case m.For != "" || m.Name == "%lsmagic": // for notebooks that have them, and for habits
			continue
		}
		fmt.Fprintf(&b, "%-28s %s\n", name, m.Help)
	}
	b.WriteString("_, __ are the last results, Out[3] the result and In[3] the text of cell 3. More: docs/magics.md\n")
	if s.opts.Pages != "" {
		b.WriteString("\n" + s.opts.Pages)
	}
	return b.String()
}

func help(c *Call) (display.Bundle, error) {
	if c.Arg == "" {
		c.Printf("%s", c.Help())
		return display.Bundle{}, nil
	}
	return display.Bundle{}, c.helpOn(c.Arg)
}

// helpOn shows one magic.
func (c *Call) helpOn(name string) error {
	found := false
	for _, sigil := range []string{"", "%", "%%"} {
		if m := c.table[sigil+strings.TrimSpace(name)]; m != nil {
			c.Printf("%s\n    %s\n", m.usage(), m.Help)
			found = true
		}
	}
	switch {
	case found:
	case strings.HasPrefix(strings.TrimSpace(name), "%"):
		return fmt.Errorf("%s", c.unknown(name))
	default: // it may be no magic that somebody means
		return fmt.Errorf("%s; ?%s says what a name is, %%doc shows pages", c.unknown(name), strings.TrimSpace(name))
	}
	return nil
}

func lsmagic(c *Call) (display.Bundle, error) {
	var line, cell []string
	for name := range c.table {
		switch {
		case strings.HasPrefix(name, "%%"):
			cell = append(cell, name)
		case strings.HasPrefix(name, "%"):
			line = append(line, name)
		}
	}
	sort.Strings(line)
	sort.Strings(cell)
	c.Printf("%s\n%s\n", strings.Join(line, " "), strings.Join(cell, " "))
	return display.Bundle{}, nil
}

// ignored is a magic of other kernels that has no work to do here. It says so once.
func ignored(c *Call) (display.Bundle, error) {
	if c.tell(c.Name) {
		why := map[string]string{
			"%go111module": "modules need no switch here",
			"%goroot":      "cells need no Go installation",
			"%track":       "completion knows what cells have imported",
			"%untrack":     "completion knows what cells have imported",
			"%widgets":     "widgets need no setting up",
			"%widgets_hb":  "widgets need no setting up",
			":":            "lines that begin with a colon are gomacro's; %help lists what there is here",
		}[c.Name]
		name := c.Name
		if name == ":" {
			name += c.Arg
		}
		c.Printf("%s is ignored: %s.\n", name, why)
	}
	return display.Bundle{}, nil
}
