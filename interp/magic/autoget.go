package magic

import (
	"context"
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// autoget shows or sets whether imports fetch modules.
func autoget(c *Call) (display.Bundle, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.Arg {
	case "on", "off":
		c.autoGet = c.Arg == "on"
	case "":
		c.Printf("imports fetch modules: %s\n", map[bool]string{true: "on", false: "off"}[c.autoGet])
	default:
		return display.Bundle{}, fmt.Errorf("%q is neither on nor off", c.Arg)
	}
	return display.Bundle{}, nil
}

// runGo runs the Go of a cell, after fetching what it imports, as %get would, where that is wanted.
func (s *Session) runGo(ctx context.Context, cell interp.Cell) (display.Bundle, error) {
	s.mu.Lock()
	auto := s.autoGet
	s.mu.Unlock()
	if auto {
		if missing := s.Missing(cell.Source); len(missing) > 0 {
			call := &Call{Session: s, Name: "%autoget", ctx: ctx, cell: cell, line: lineWith(cell.Source, missing)}
			if err := call.fetch(missing); err != nil {
				return display.Bundle{}, call.failure(err)
			}
		}
	}
	return s.Session.RunCell(ctx, cell)
}

// lineWith is the first line of src that has one of paths in quotes, 1 when none has.
func lineWith(src string, paths []string) int {
	n := 1
	for line := range strings.Lines(src) {
		for _, p := range paths {
			if strings.Contains(line, `"`+p+`"`) {
				return n
			}
		}
		n++
	}
	return 1
}
