package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
	"github.com/arrayrepl/arrayrepl/kernel/notebook/export"
)

// exportSite writes the notebooks of a directory as a site, run first when fresh is set: what notebooks are saved with
// has often no live charts. Their files stay as they are. One that fails has its page as far as it came.
func exportSite(ctx context.Context, dir, dest string, fresh bool, careful *care) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if dest == "" {
		dest = dir + "-html"
	}
	paths, err := notebooksOf(dir)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("there are no notebooks (*.ipynb) in %s", dir)
	}
	root := repositoryOf(dir)
	site := export.Site{Root: root, Notebooks: paths, Title: titleOf(root), Highlight: goHTML}
	failed, unknown := 0, ""
	// what has just run here is trusted, as it ran, and so are the pages beside it
	site.Sanitize = func(rel string) bool {
		if fresh || filepath.Ext(rel) != ".ipynb" {
			return careful.sanitize || !fresh && !careful.trust
		}
		path := filepath.Join(root, filepath.FromSlash(rel))
		sanitize := careful.of(path)
		if sanitize && !careful.sanitize {
			unknown = path
		}
		return sanitize
	}
	if fresh {
		site.Read = func(path string) (*notebook.Notebook, error) {
			nb, err := freshlyRun(ctx, path)
			if err != nil {
				failed++
			}
			if nb == nil {
				return nil, err
			}
			return nb, nil
		}
	}
	if err := site.Write(dest); err != nil {
		return err
	}
	fmt.Println("Wrote", filepath.Join(dest, "index.html"))
	if unknown != "" {
		fmt.Printf(sanitizedNote, unknown)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d notebooks failed; their pages show where", failed, len(paths))
	}
	return nil
}

// notebooksOf lists the notebooks in dir and below, sorted; directories whose names begin with a dot are left out.
func notebooksOf(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case !d.IsDir() && filepath.Ext(path) == ".ipynb" && !strings.HasPrefix(d.Name(), "."):
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// repositoryOf is the directory of the git repository that dir lies in, and dir where it lies in none: links of
// notebooks may lead that far.
func repositoryOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

var firstHeading = lazyregexp.New(`(?m)^# +(.*?) *$`)

// titleOf is what a directory's README calls it; without one, its name.
func titleOf(dir string) string {
	text, err := budget.ReadFile(filepath.Join(dir, "README.md"), "README.md", budget.SourceFile)
	if found := firstHeading.FindSubmatch(text); err == nil && found != nil {
		return string(found[1])
	}
	return filepath.Base(dir)
}

// freshlyRun runs a notebook in a process of its own. With an error there may be a notebook too: as far as it came.
func freshlyRun(ctx context.Context, path string) (*notebook.Notebook, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "arrayrepl-site-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	fmt.Printf("Running %s ... ", path)
	start := time.Now()
	out := filepath.Join(tmp, "run.ipynb")
	run := exec.CommandContext(ctx, self, "run", path, "-o", out)
	var said strings.Builder
	run.Stderr = &said
	runErr := run.Run()
	if ctx.Err() != nil {
		fmt.Println("interrupted")
		return nil, ctx.Err()
	}
	if runErr == nil {
		fmt.Println(time.Since(start).Round(100 * time.Millisecond))
	} else {
		fmt.Printf("failed:\n%s", said.String())
		runErr = fmt.Errorf("running %s: %w", path, runErr)
	}
	nb, err := notebook.Read(out)
	if err != nil {
		return nil, runErr
	}
	return nb, runErr
}
