package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/install"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// finding is what doctor says of one part of the set-up.
type finding struct {
	part, found string
	repair      string // the command that repairs it; "" when nothing is wrong
	optional    bool   // the notebook works without it
}

// checks are the parts of the set-up, in the order in which they are needed.
var checks = []func(context.Context) finding{checkBinary, checkSession, checkPython, checkJupyterLab, checkKernelspec, checkWidgets, checkDevices}

// checkTimeout ends a check whose program does not answer. JupyterLab takes 20 seconds to say its version on a busy
// machine.
const checkTimeout = time.Minute

// errBusy is what such a check finds.
var errBusy = fmt.Errorf("jupyter does not answer within %v", checkTimeout)

// doctor says of each part of the set-up what was found, and the one command that repairs it; of a notebook what it
// needs.
func doctor(ctx context.Context, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("doctor takes one notebook or nothing, not %q", args)
	}
	if len(args) == 1 {
		found, err := examine(args[0])
		if err != nil {
			return err
		}
		return report(os.Stdout, found)
	}
	var found []finding
	for _, check := range checks {
		one, cancel := context.WithTimeout(ctx, checkTimeout)
		found = append(found, check(one))
		cancel()
	}
	return report(os.Stdout, found)
}

// report prints findings; it fails when something needed is not as it should be.
func report(w io.Writer, found []finding) error {
	var failed bool
	for _, f := range found {
		mark := "ok"
		switch {
		case f.repair != "" && f.optional:
			mark = "-"
		case f.repair != "":
			mark, failed = "!!", true
		}
		fmt.Fprintf(w, "%-2s %-12s %s\n", mark, f.part, f.found)
		if f.repair != "" {
			fmt.Fprintf(w, "   %-12s → %s\n", "", asCommand(f.repair))
		}
	}
	if failed {
		return errShown
	}
	return nil
}

func checkBinary(context.Context) finding {
	f := finding{part: "arrayrepl"}
	self, err := os.Executable()
	if err != nil {
		return finding{part: f.part, found: err.Error(), repair: "start arrayrepl by its full path"}
	}
	f.found = version() + " in " + self
	switch path, err := exec.LookPath("arrayrepl"); {
	case builtByGoRun(self): // what go run builds is gone afterwards: no place for a PATH
		f.found = version() + ", started by go run"
		f.repair, f.optional = "go install ./cmd/arrayrepl   (in the clone; for a shell that finds it by its name)", true
	case err != nil:
		f.found += "; the shell does not find it by its name"
		f.repair, f.optional = addToPath(filepath.Dir(self)), true
	case !sameFile(path, self):
		f.found += "; the shell starts another one, " + path
		f.repair, f.optional = firstInPath(filepath.Dir(self)), true
	}
	return f
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// checkSession runs a cell.
func checkSession(ctx context.Context) finding {
	f := finding{part: "cells", found: "1 + 1 is 2 in a cell"}
	s, err := newSession()
	if err == nil {
		nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "code", Source: "1 + 1"}}}
		err = notebook.Run(ctx, nb, session{s}, notebook.Options{})
	}
	if err != nil {
		f.found, f.repair = err.Error(), "go install github.com/arrayrepl/arrayrepl/cmd/arrayrepl@latest"
	}
	return f
}

func checkPython(ctx context.Context) finding {
	for _, python := range []string{"python3", "python"} {
		out, err := exec.CommandContext(ctx, python, "-c", "import sys, venv, ensurepip; print(sys.version.split()[0], sys.executable, sys.version_info >= (3, 10))").Output()
		if fields := strings.Fields(string(out)); err == nil && len(fields) == 3 && fields[2] == "True" {
			return finding{part: "Python", found: fields[0] + " in " + fields[1]}
		}
	}
	return finding{part: "Python", found: "no Python 3.10 or newer with venv was found; JupyterLab needs it", repair: getPython}
}

// labPython finds the JupyterLab that `arrayrepl lab` would use: its version, and a command line that runs its Python.
func labPython(ctx context.Context) (version, where string, python []string, err error) {
	if out, err := exec.CommandContext(ctx, "jupyter", "lab", "--version").Output(); err == nil && strings.HasPrefix(string(out), "4.") {
		path, _ := exec.LookPath("jupyter")
		return strings.TrimSpace(string(out)), path, nil, nil
	}
	if ctx.Err() != nil {
		return "", "", nil, errBusy
	}
	venv, err := cachePath("jupyter")
	if err != nil {
		return "", "", nil, err
	}
	out, err := exec.CommandContext(ctx, venvPython(venv), "-m", "jupyterlab", "--version").Output()
	if err != nil {
		return "", "", nil, errors.New("no JupyterLab 4 was found")
	}
	return strings.TrimSpace(string(out)), venv, []string{venvPython(venv), "-m", "jupyterlab"}, nil
}

func checkJupyterLab(ctx context.Context) finding {
	version, where, _, err := labPython(ctx)
	if errors.Is(err, errBusy) {
		return finding{part: "JupyterLab", found: err.Error(), repair: "arrayrepl doctor   (again, when the machine is less busy)"}
	}
	if err != nil {
		return finding{part: "JupyterLab", found: err.Error(), repair: "arrayrepl lab   (sets up one of its own, about 250 MB)"}
	}
	return finding{part: "JupyterLab", found: version + " in " + where}
}

func checkKernelspec(context.Context) finding {
	f := finding{part: "kernel"}
	all, err := install.List()
	if err != nil || len(all) == 0 {
		f.found, f.repair = "Jupyter does not know it", "arrayrepl install"
		return f
	}
	var names []string
	for _, k := range all {
		names = append(names, fmt.Sprintf("%s in %s", k.Name, k.Dir))
		again := "arrayrepl install --name " + k.Name
		if k.AliasOf != "" {
			again = "arrayrepl install --name " + k.AliasOf + " --alias " + k.Name
		}
		if e := k.Spec.Engine(); e != "" {
			again += " --engine " + e
		}
		switch {
		case k.Missing != "":
			f.repair, f.optional = again, false
			names = append(names, "which starts "+k.Missing+", and that is gone")
		case k.Outdated:
			if f.repair == "" {
				f.repair, f.optional = again, true
			}
			names = append(names, "which an older arrayrepl wrote")
		}
	}
	f.found = strings.Join(names, ", ")
	return f
}

// checkWidgets looks for the extension of JupyterLab that draws sliders.
func checkWidgets(ctx context.Context) finding {
	f := finding{part: "widgets", optional: true}
	_, where, lab, err := labPython(ctx)
	if err != nil && !errors.Is(err, errBusy) {
		f.found, f.repair = "there is no JupyterLab to draw sliders and buttons", "arrayrepl lab   (the one that it sets up draws them)"
		return f
	}
	pip := pipBeside(where)
	list := exec.CommandContext(ctx, "jupyter", "labextension", "list", "--verbose")
	if lab != nil {
		pip = quoted(lab[0]) + " -m pip"
		list = exec.CommandContext(ctx, lab[0], "-m", "jupyter", "labextension", "list")
	}
	out, _ := list.CombinedOutput() // it exits with 1 when an extension is out of date
	if err == nil && strings.Contains(string(out), "@jupyter-widgets/jupyterlab-manager") {
		f.found = "JupyterLab has the extension that draws sliders and buttons"
		return f
	}
	if ctx.Err() != nil {
		f.found, f.repair = errBusy.Error(), "arrayrepl doctor   (again, when the machine is less busy)"
		return f
	}
	f.found, f.repair = "JupyterLab has no extension that draws sliders and buttons", pip+" install jupyterlab_widgets"
	return f
}

// pipBeside is the command that installs into the Python environment of the program jupyter: the shell's pip may be
// another's.
func pipBeside(jupyter string) string {
	for _, name := range []string{"python3", "python", "python.exe"} {
		if python := filepath.Join(filepath.Dir(jupyter), name); sameFile(python, python) {
			return quoted(python) + " -m pip"
		}
	}
	return "pip"
}

func checkDevices(context.Context) finding {
	f := finding{part: "devices"}
	r := devices()
	var names, broken []string
	for _, name := range r.Names() {
		if _, err := r.Get(name); err != nil {
			broken = append(broken, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		names = append(names, name)
	}
	f.found = strings.Join(names, " ")
	if len(broken) > 0 {
		f.found += "; not usable: " + strings.Join(broken, "; ")
		f.repair, f.optional = "arrayrepl devices", true
	}
	return f
}
