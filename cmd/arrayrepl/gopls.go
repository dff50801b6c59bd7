package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/interp/langserver"
)

// serveGopls answers an editor's questions about cells by gopls.
func serveGopls(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("gopls", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "arrayrepl gopls speaks the Language Server Protocol on standard input and output, about notebooks: jupyter-lsp starts it.\nGOPLS names the program, else the PATH has it.\n")
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	name := "gopls"
	if named := os.Getenv("GOPLS"); named != "" {
		name = named
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("gopls was not found (%w): go install golang.org/x/tools/gopls@latest, and have the directory of Go's programs on the PATH", err)
	}
	dir, err := os.MkdirTemp("", "arrayrepl-gopls-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if err := cellsModule(dir); err != nil {
		return err
	}
	session, err := newSession()
	if err != nil {
		return err
	}
	proxy := langserver.Proxy{Dir: dir, Names: langserver.SessionNames(session.Session)}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, path, "serve")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"), "GOWORK=off")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = proxy.Serve(os.Stdin, os.Stdout, in, out)
	stop()
	return errors.Join(err, ended(cmd.Wait()))
}

// ended is nil where a program was stopped, as all are that an editor has closed.
func ended(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, context.Canceled) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}

// cellsModule makes a directory a module that can import this one: from where this program was built, from the clone
// that the working directory is in, or in the version of this program.
func cellsModule(dir string) error {
	text := "module cells\n\ngo 1.26\n\nrequire " + module + " "
	if root, ok := clone(); ok {
		sums, err := budget.ReadFile(filepath.Join(root, "go.sum"), "go.sum", budget.SourceFile)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600); err != nil {
			return err
		}
		text += "v0.0.0\n\nreplace " + module + " => " + modfile.AutoQuote(root) + "\n"
	} else {
		text += version() + "\n"
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600)
}

// clone is the root of this module's sources, where they are on this machine.
func clone() (root string, ok bool) {
	if root, ok := workingCopy(); ok {
		return root, true
	}
	dir, err := os.Getwd()
	for err == nil {
		if data, err := budget.ReadFile(filepath.Join(dir, "go.mod"), "go.mod", budget.SmallFile); err == nil {
			return dir, modfile.ModulePath(data) == module
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", false
}
