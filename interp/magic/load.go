package magic

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// load runs what a file holds. What its cells show is shown, the last result as the cell's own.
func load(c *Call) (last display.Bundle, err error) {
	path := expandHome(unquote(c.Arg))
	var cells []string
	if filepath.Ext(path) == ".ipynb" {
		if c.opts.ReadNotebook == nil {
			return last, errors.New("notebooks cannot be read here")
		}
		cells, err = c.opts.ReadNotebook(path)
	} else {
		var src string
		src, err = ReadSource(path)
		cells = []string{src}
	}
	if err != nil {
		return last, err
	}
	for _, src := range cells {
		if strings.TrimSpace(src) == "" {
			continue
		}
		if !last.Empty() {
			if err := display.Show(last); err != nil {
				return last, err
			}
		}
		cell := c.cell
		cell.Input, cell.Source = c.cell.Source, src
		if last, err = c.RunCell(c.ctx, cell); err != nil {
			return display.Bundle{}, err
		}
	}
	return last, nil
}

// ReadSource reads Go code from a file. A first line that names an interpreter is none of it.
func ReadSource(path string) (string, error) {
	data, err := budget.ReadFile(path, "the file", budget.SourceFile)
	src := string(data)
	if strings.HasPrefix(src, "#!") {
		src = "//" + src // still a line, so that positions are right
	}
	return src, err
}
