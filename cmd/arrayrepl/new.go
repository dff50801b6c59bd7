package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/install"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// firstCell is what a new notebook begins with: something to run and to change.
const firstCell = `x := np.Linspace(0, 2*math.Pi, 200)
y := np.Sin(x) // nothing is computed before it is shown
viz.Line(x, y)`

// newNotebook writes a notebook to begin with.
func newNotebook(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("new", flag.ExitOnError)
	engineFlag(flags)
	rest := parseArgs(flags, args)
	if len(rest) != 1 || strings.Trim(filepath.Base(rest[0]), ".") == "" {
		return errors.New("new takes the name of one notebook: arrayrepl new NAME [--engine yaegi]")
	}
	path := rest[0]
	if !strings.HasSuffix(path, ".ipynb") {
		path += ".ipynb"
	}
	if path == filepath.Base(path) && isShipped(shippedNotebooks) { // where lab looks
		if err := os.MkdirAll(ownNotebooks, 0o755); err != nil {
			return fmt.Errorf("new: %w", err)
		}
		path = filepath.Join(ownNotebooks, path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("new: there is no directory %s: make it first, with mkdir, or choose another", filepath.Dir(path))
	}
	spec := map[string]any{"name": install.DefaultName, "display_name": install.DefaultDisplayName, "language": "go"}
	register := "install"
	if engine != defaultEngine { // as install names its kernels
		spec["name"], spec["display_name"] = install.DefaultName+"-"+engine, "Go ("+engine+")"
		register += " --engine " + engine
	}
	title := strings.TrimSuffix(filepath.Base(path), ".ipynb")
	nb := notebook.Notebook{
		Cells: []*notebook.Cell{{Type: "markdown", Source: "# " + title}, {Type: "code", Source: firstCell}},
		Metadata: map[string]any{"kernelspec": spec, "language_info": map[string]any{
			"name": "go", "file_extension": ".go", "mimetype": "text/x-go", "pygments_lexer": "go"}},
	}
	data, err := nb.JSON()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("new: %s is there already, and stays as it is: choose another name", path)
	}
	if err != nil {
		return fmt.Errorf("new: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
		return fmt.Errorf("new: writing %s: %w", path, err)
	}
	fmt.Printf("Wrote %s. To open it:\n\n  %s lab %s\n\nElsewhere, in VS Code say, choose the kernel %q; %q registers it.\n", path, calledAs(), quoted(path), spec["display_name"], calledAs()+" "+register)
	return nil
}

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsAny(path, " '\"$&();<>|*?`\\") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
