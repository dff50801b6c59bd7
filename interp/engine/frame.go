package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Frame is a line of a cell, or of a file of the user's own modules, that was being executed.
type Frame struct {
	Cell, Line int
	Func       string // "" for the cell's own statements
	File       string // its absolute path; "" in cells
	Note       string // what it has to do with the error, where that is not plain
}

// String returns "cell 7, line 3, in f", or "geo/area.go:12, in geo.Area".
func (f Frame) String() string {
	s := fmt.Sprintf("cell %d, line %d", f.Cell, f.Line)
	if f.File != "" {
		s = fmt.Sprintf("%s:%d", ShortPath(f.File), f.Line)
	}
	if f.Func != "" {
		s += ", in " + f.Func
	}
	if f.Note != "" {
		s += ", " + f.Note
	}
	return s
}

// ShortPath names a file or directory as seen from the working directory, where that is shorter.
func ShortPath(p string) string {
	wd, err := os.Getwd()
	if err != nil {
		return p
	}
	if rel, err := filepath.Rel(wd, p); err == nil && len(rel) < len(p) && !strings.HasPrefix(rel, ".."+string(filepath.Separator)+"..") {
		return rel
	}
	return p
}
