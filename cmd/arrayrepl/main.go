package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/arrayrepl/arrayrepl/internal/procs"
	"github.com/arrayrepl/arrayrepl/interp/repl"
)

// command is a subcommand. Run gets the arguments after its name; its error is printed and ends the process with
// status 1.
type command struct {
	name, args, help string
	run              func(ctx context.Context, args []string) error
}

var commands []command

func init() { runtime.LockOSThread() } // main's goroutine stays on the main thread, which adopts

func main() { procs.Adopting(begin) }

// begin does what the command line asks.
func begin() {
	commands = []command{
		{"lab", "[DIR|NOTEBOOK|URL]", "open notebooks in JupyterLab, setting up what is missing", lab},
		{"new", "NAME", "write a notebook NAME.ipynb to begin with", newNotebook},
		{"run", "NOTEBOOK.ipynb", "run a notebook without a browser; or a Go program: FILE.go..., DIR", runFile},
		{"export", "NOTEBOOK.ipynb|DIR", "write a notebook as a page (html), a text (md) or a program (go); a directory as a site", exportNotebook},
		{"install", "", "register the kernel with Jupyter", installKernel},
		{"uninstall", "", "remove the kernel from Jupyter", uninstallKernel},
		{"list", "", "list the kernels that Jupyter knows here", listKernels},
		{"kernel", "CONNECTION_FILE", "serve a notebook (Jupyter calls this)", serveKernel},
		{"session", "", "", serveSession}, // what kernel starts
		{"gopls", "", "answer an editor's questions about cells by gopls (jupyter-lsp calls this)", serveGopls},
		{"gpu-worker", "", "", serveGPUWorker}, // what a session starts
		{"doctor", "[NOTEBOOK]", "check the set-up, or what a notebook needs here, and say what repairs it", doctor},
		{"devices", "", "list the devices that can run kernels", listDevices},
		{"gpu", "calibrate", "measure a GPU by microbenchmarks and write a simulated one with its figures", gpuCommand},
		{"version", "", "show the version; --full: all that is inside", showVersion},
		{"help", "", "show this", func(context.Context, []string) error { usage(os.Stdout); return nil }},
	}
	name := ""
	args, err := takeGlobal(os.Args[1:])
	if len(args) > 0 && !forTerminal(args[0]) {
		name, args = args[0], args[1:]
	}
	if err == nil {
		args, err = takeGlobal(args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "arrayrepl:", err)
		os.Exit(2)
	}
	run := terminal
	if name != "" {
		run = nil
		for _, c := range commands {
			if c.name == name || options[name] == c.name {
				run = c.run
			}
		}
	}
	if run == nil {
		fmt.Fprintf(os.Stderr, "arrayrepl: there is no command %q\n\n", name)
		usage(os.Stderr)
		os.Exit(2)
	}
	ctx := context.Background()
	// the REPL and the kernel have a use of their own for Ctrl-C
	if name != "" && name != "kernel" && name != "session" && name != "gpu-worker" {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	if err := run(ctx, args); err != nil {
		var exit *repl.ExitError
		if errors.As(err, &exit) {
			os.Exit(exit.Code)
		}
		if !errors.Is(err, errShown) {
			fmt.Fprintln(os.Stderr, "arrayrepl:", err)
		}
		os.Exit(1)
	}
}

// options are commands in the form of an option, as other programs have them.
var options = map[string]string{"-h": "help", "-help": "help", "--help": "help", "-version": "version", "--version": "version"}

// forTerminal reports whether a first argument is not a command's name but an option or a file for the REPL.
func forTerminal(arg string) bool {
	return strings.HasPrefix(arg, "-") && options[arg] == "" || strings.HasSuffix(arg, ".go") || strings.ContainsRune(arg, os.PathSeparator)
}

// errShown is returned by a command that has told the user already what went wrong.
var errShown = errors.New("failed")

func usage(w io.Writer) {
	fmt.Fprint(w, `arrayrepl is a Go notebook for array computing.

  arrayrepl                        start the REPL in this terminal (--plain: without line editor and colours)
  arrayrepl -e CODE                run CODE as a cell and print what it gives
  arrayrepl FILE.go [ARGS]         run a Go program, or a file of cell code
  ... | arrayrepl                  run what comes through a pipe, cell by cell (a line "// %%" begins a cell);
                                   --keep-going: also after one that fails
  arrayrepl --graphics WAY         show pictures by kitty or sixel, or with characters (none); without, as the terminal can
  arrayrepl --engine yaegi ...     any of this, and run, kernel, install, on the second engine
  arrayrepl --gpu-worker off ...   any of this, with NVIDIA's driver in the session's own process
`)
	for _, c := range commands {
		if c.help == "" {
			continue
		}
		fmt.Fprintf(w, "  arrayrepl %-22s %s\n", c.name+" "+c.args, c.help)
	}
	fmt.Fprint(w, "\narrayrepl COMMAND -h shows a command's options.\n")
}
