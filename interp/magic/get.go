package magic

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// get fetches modules, whose packages cells can import then.
func get(c *Call) (display.Bundle, error) {
	for _, q := range strings.Fields(c.Arg) {
		if err := c.Session.Session.Get(c.ctx, q, c.stderr()); err != nil {
			return display.Bundle{}, err
		}
	}
	return display.Bundle{}, nil
}

// completeModule proposes what is in Go's module cache.
func completeModule(_ *Session, text string) (out []interp.Match) {
	for _, m := range interp.CachedModules(text) {
		out = append(out, interp.Match{Text: m, Type: "module", Signature: "module " + m})
	}
	return out
}
