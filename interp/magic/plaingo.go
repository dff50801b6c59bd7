package magic

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// plainLine shows what an expression on arrays is in plain Go.
func plainLine(c *Call) (display.Bundle, error) { return c.plain(c.Arg, c.line, c.argColumn) }

func plainCell(c *Call) (display.Bundle, error) { return c.plain(c.Body, c.line+1, 1) }

// plain shows the plain Go of src, which stands at that place of the cell.
func (c *Call) plain(src string, line, column int) (display.Bundle, error) {
	placed := strings.Repeat("\n", line-1) + strings.Repeat(" ", column-1) + src
	text, err := c.Session.Session.PlainGo(c.cell.Number, placed)
	if err != nil {
		return display.Bundle{}, c.asWritten(err, line, 0)
	}
	text = strings.TrimSpace(text)
	b := display.Text(text)
	b.Data[display.TypeMarkdown] = "```go\n" + text + "\n```"
	return b, nil
}

// operators turns array expressions off and on.
func operators(c *Call) (display.Bundle, error) {
	switch c.Arg {
	case "on", "off":
		c.SetOperators(c.Arg == "on")
	case "":
		was := c.SetOperators(true)
		c.SetOperators(was)
		c.Printf("array operators are %s\n", map[bool]string{true: "on", false: "off"}[was])
	default:
		return display.Bundle{}, fmt.Errorf("%q is neither on nor off", c.Arg)
	}
	return display.Bundle{}, nil
}
