// Package gonb has packages for notebooks that were written for the kernel GoNB: gonbui, by which its cells display
// things, and those beside it. Cells import them by the paths that they have there; they are interpreted from the
// source in this folder, so that their generic functions have instances of any type.
//
// Start with [Sources], for interp.Options. The packages are written anew over package display: they have the names
// that notebooks use, with the meaning that these have there as far as a cell here can have it. What a page's
// JavaScript would have to send to a running cell is an error that says so.
package gonb

import (
	"embed"
	"io/fs"

	"github.com/arrayrepl/arrayrepl/interp"
)

//go:embed gonbui cache constraints
var files embed.FS

// packages are the import paths of the packages, by folder.
var packages = map[string]string{
	"gonbui":          "github.com/janpfeifer/gonb/gonbui",
	"gonbui/comms":    "github.com/janpfeifer/gonb/gonbui/comms",
	"gonbui/dom":      "github.com/janpfeifer/gonb/gonbui/dom",
	"gonbui/plotly":   "github.com/janpfeifer/gonb/gonbui/plotly",
	"gonbui/protocol": "github.com/janpfeifer/gonb/gonbui/protocol",
	"gonbui/widgets":  "github.com/janpfeifer/gonb/gonbui/widgets",
	"cache":           "github.com/janpfeifer/gonb/cache",
	"constraints":     "golang.org/x/exp/constraints", // which GoNB's own notebooks use without an import
}

// Sources are the packages by import path.
func Sources() map[string]interp.Source {
	const here = "github.com/arrayrepl/arrayrepl/internal/gonb/"
	imports := map[string]string{}
	for dir, path := range packages {
		imports[here+dir] = path
	}
	sources := map[string]interp.Source{}
	for dir, path := range packages {
		sub, err := fs.Sub(files, dir)
		if err != nil {
			panic(err) // the folder is part of the binary
		}
		sources[path] = interp.Source{Files: sub, Imports: imports}
	}
	return sources
}
