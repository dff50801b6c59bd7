package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/mod/semver"

	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// openNotebook is the path of the notebook whose cells this process runs, "" when it is not known.
var openNotebook = notebookOfServer()

// notebookOfServer is the notebook for which Jupyter's server has started this kernel. Other clients do not say.
func notebookOfServer() string {
	path := os.Getenv("JPY_SESSION_NAME")
	if !filepath.IsAbs(path) || filepath.Ext(path) != ".ipynb" {
		return ""
	}
	return path
}

// isKernel says that this process runs the cells of a client that need not say which notebook it has open.
var isKernel bool

// carriedHere is what the open notebook brings along, as it was saved last. When a kernel does not know which one is
// open, it is what the notebooks of its directory agree on.
func carriedHere() carried.Set {
	if openNotebook != "" {
		if nb, err := notebook.Read(openNotebook); err == nil {
			return nb.Carried()
		}
	}
	if !isKernel {
		return carried.Set{}
	}
	var all []carried.Set
	for _, path := range notebooksIn(".") {
		if nb, err := notebook.Read(path); err == nil {
			all = append(all, nb.Carried())
		}
	}
	return carried.Agreed(all)
}

// Where it is not known which notebook is open, so many of a directory are looked at, none of them larger.
const (
	maxNotebooks    = 30
	maxNotebookSize = 50 << 20
)

func notebooksIn(dir string) (paths []string) {
	all, _ := filepath.Glob(filepath.Join(dir, "*.ipynb")) // the pattern is well-formed
	for _, path := range all {
		if st, err := os.Stat(path); err == nil && st.Size() <= maxNotebookSize && len(paths) < maxNotebooks {
			paths = append(paths, path)
		}
	}
	return paths
}

// versionField is where language_info of a notebook has the version of the arrayrepl that ran it last. Clients save
// there what a kernel says of its language.
const versionField = "arrayrepl"

// savedBy is the version that a notebook was run with last, "" when it does not say.
func savedBy(nb *notebook.Notebook) string {
	info, _ := nb.Metadata["language_info"].(map[string]any)
	v, _ := info[versionField].(string)
	return v
}

// newerThan reports whether version a is newer than b. What is not a version is neither newer nor older.
func newerThan(a, b string) bool {
	return semver.IsValid(a) && semver.IsValid(b) && semver.Compare(a, b) > 0
}

// ageNote says that the open notebook is newer than this program, "" when it is not.
func ageNote(nb *notebook.Notebook) string {
	if v := savedBy(nb); newerThan(v, version()) {
		return fmt.Sprintf("This notebook was run with arrayrepl %s, and this is %s: what is newer in it may fail here. arrayrepl doctor NOTEBOOK says how to update.\n", v, version())
	}
	return ""
}

// noteAge is done by the first cell of a session: it shows openNote.
var noteAge sync.Once

// openNote is ageNote of the notebook that is open.
func openNote() string {
	if openNotebook == "" {
		return ""
	}
	nb, err := notebook.Read(openNotebook)
	if err != nil {
		return ""
	}
	return ageNote(nb)
}

// howToUpdate is the command that brings this program up to date, by where it lies.
func howToUpdate(self string) string {
	dir := filepath.ToSlash(self)
	switch {
	case fileExists(filepath.Join(filepath.Dir(self), "..", "conda-meta")):
		return "conda update arrayrepl"
	case fileExists(filepath.Join(filepath.Dir(self), "..", "share", "jupyter", "kernels", "arrayrepl", "kernel.json")):
		return "pip install --upgrade arrayrepl"
	case strings.Contains(dir, "/go/bin/"):
		return "go install github.com/arrayrepl/arrayrepl/cmd/arrayrepl@latest"
	}
	return "the newest archive, in place of " + self
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
