package magic

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// inspect is NAME? and ?NAME.
func inspect(c *Call) (display.Bundle, error) {
	if strings.HasPrefix(c.Arg, "%") || c.Arg == "!" {
		return display.Bundle{}, c.helpOn(c.Arg)
	}
	return doc(c)
}

// doc shows the documentation of a name.
func doc(c *Call) (display.Bundle, error) {
	if b, ok := c.Session.Page(c.Arg); ok {
		return b, nil
	}
	if c.Arg == "" {
		return display.Bundle{}, errors.New("usage: %doc NAME")
	}
	detail := 0
	if c.more {
		detail = 1
	}
	d, ok := c.Session.Session.Describe(c.Arg, utf8.RuneCountInString(c.Arg), detail)
	if !ok {
		return display.Bundle{}, fmt.Errorf("nothing is known of %s", c.Arg)
	}
	b := display.Text(d.Plain())
	b.Data[display.TypeMarkdown] = d.Markdown()
	return b, nil
}
