package magic

import (
	"fmt"
	"os"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// gonb is the name of the kernel whose notebooks have the magics below.
const gonb = "GoNB"

// enterGoNB sets what commands and cells of GoNB find in their environment.
func (s *Session) enterGoNB() {
	if dir, err := os.Getwd(); err == nil {
		os.Setenv("GONB_DIR", dir)
	}
	s.moduleDirectory()
}

// remove is %rm: it forgets what there is of the names, and says which there are not.
func remove(c *Call) (display.Bundle, error) {
	for _, name := range strings.Fields(c.Arg) {
		if c.Forget(name) {
			c.Printf("forgot %s\n", name)
		} else {
			c.Printf("no cell has declared %s; !rm removes files\n", name)
		}
	}
	return display.Bundle{}, nil
}

// goFlags is %goflags. The flags are shown as GoNB shows them.
func goFlags(c *Call) (display.Bundle, error) {
	if c.Arg != "" {
		c.goFlags = nil
		for _, word := range splitWords(c.Arg) {
			if word != "" {
				c.goFlags = append(c.goFlags, word)
			}
		}
	}
	c.Printf("%%goflags=%q\n", c.goFlags)
	if len(c.goFlags) > 0 && c.tell(c.Name) {
		c.Printf("They change nothing: cells are interpreted, and go build does not compile them.\n")
	}
	return display.Bundle{}, nil
}

func showVersion(c *Call) (display.Bundle, error) {
	c.Printf("arrayrepl %s\n", c.opts.Version)
	return display.Bundle{}, nil
}

// notHere is a magic that cannot do here what it does in GoNB.
func notHere(c *Call) (display.Bundle, error) {
	return display.Bundle{}, fmt.Errorf("%s", map[string]string{
		"%wasm": "in GoNB it compiles the cell for the browser; here cells run in the kernel. package widgets has sliders and buttons " +
			"that call Go, and display.HTML and display.JavaScript put things into the page",
	}[c.Name])
}
