package magic

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Notebooks of GoNB see a cell as a program: declarations, then the body of main below %%. Here a cell's statements run
// by themselves, and main is a function like others; so what stands below %% is run as the body of a function, and
// where a cell is meant as such a program, its own func main is called, after the functions init_... that it declares.

const (
	mainCell, mainWord = "%%", "%main"
	mainHead, mainTail = "func() {", "\n}()"
)

// programMagics are those whose cells are programs as GoNB has them, in whatever kernel.
var programMagics = []string{mainCell, mainWord, "%args", "%exec", "%test"}

// isProgram reports whether a cell is a program as GoNB has them.
func (s *Session) isProgram(parts []part) bool {
	return s.opts.GoNB || slices.ContainsFunc(parts, func(p part) bool { return p.magic != nil && slices.Contains(programMagics, p.magic.name) })
}

// goPart runs the Go between two magics, and then, where the cell is a program, the functions that a program starts
// with.
func (c *Call) goPart(src string, line int) (display.Bundle, error) {
	keep := flagsAgain(src)
	b, err := c.goCode(src, line, 1, nil)
	keep()
	if err != nil || !c.program {
		return b, err
	}
	c.functions = append(c.functions, interp.DeclaredFunctions(src)...)
	calls, main := programCalls(src)
	c.main = c.main || main
	if calls == "" {
		return b, nil
	}
	return b, c.runAsProgram(calls, line)
}

// callsMain finds a cell that calls its main itself.
var callsMain = lazyregexp.New(`(?m)^[ \t]*main\(\)[ \t;]*(//.*)?$`)

// runAsProgram runs Go whose os.Exit(0) is the end of the program and no failure.
func (c *Call) runAsProgram(src string, line int) error {
	_, err := c.goCode(src, line, 1, nil)
	return exited(err)
}

// exited is err but for that of os.Exit(0).
func exited(err error) error {
	if failed, ok := err.(*interp.Error); ok && failed.Kind == interp.Exit && strings.HasPrefix(failed.Message, "os.Exit(0)") {
		return nil
	}
	return err
}

// ownMain calls the main function that the cell has declared. It is forgotten afterwards: the next cell has its own.
func (c *Call) ownMain() error {
	err := c.runAsProgram("main();", 1)
	c.Forget("main")
	return err
}

// mainPart is %% and %main: the rest of the cell is the body of main. Magics in it come before it.
func mainPart(c *Call) (display.Bundle, error) {
	if c.Arg != "" {
		setArgs(splitWords(c.Arg))
	}
	body, err := c.magicsOf(c.Body, c.line+1)
	if err == nil {
		err = c.parseFlags()
	}
	if err != nil || strings.TrimSpace(body) == "" {
		return display.Bundle{}, err
	}
	_, err = c.wrapped(mainHead, body, mainTail, c.line+1, 1, nil)
	var failed *interp.Error
	if errors.As(err, &failed) {
		if n := len(failed.Trace); n > 1 && failed.Trace[n-1].Func == "" { // the call of what mainHead begins
			failed.Trace = failed.Trace[:n-1]
			failed.Trace[n-2].Func = "main"
		}
	}
	return display.Bundle{}, exited(err)
}

// magicsOf runs the magics in the body of main and returns the body with blank lines in their place.
func (c *Call) magicsOf(body string, line int) (string, error) {
	var text strings.Builder
	at := 0
	for _, p := range c.split(body) {
		if p.magic == nil {
			continue
		}
		m := p.magic
		if msg := c.misuse(m); msg != "" {
			return "", &interp.Error{Kind: interp.CompileError, Message: msg, Trace: []interp.Frame{{Cell: c.cell.Number, Line: line + p.line - 1}}}
		}
		text.WriteString(body[at:p.start] + strings.Repeat("\n", strings.Count(body[p.start:p.end], "\n")))
		at = p.end
		inner := c.inner(m, line+p.line-1)
		if _, err := c.table[m.name].Run(inner); err != nil {
			return "", inner.failure(err)
		}
	}
	return text.String() + body[at:], nil
}

// execute is %exec: a function of the cells is the program.
func execute(c *Call) (display.Bundle, error) {
	name, rest, _ := strings.Cut(c.Arg, " ")
	setArgs(splitWords(rest))
	if err := c.parseFlags(); err != nil {
		return display.Bundle{}, err
	}
	return display.Bundle{}, c.runAsProgram(name+"();", c.line)
}

// setArguments is %args.
func setArguments(c *Call) (display.Bundle, error) {
	setArgs(splitWords(c.Arg))
	return display.Bundle{}, nil
}

// setArgs makes args the arguments of the program that cells see, until the cell ends.
func setArgs(args []string) { os.Args = append(slices.Clone(os.Args[:1]), args...) }

// splitWords cuts a magic's argument at blanks, as GoNB does: double quotes keep a word together, and in them \n, \t,
// \" and \\ mean what they mean in Go.
func splitWords(text string) (words []string) {
	var word strings.Builder
	begun, quoted := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted, begun = !quoted, true
		case quoted && c == '\\' && i+1 < len(text):
			i++
			word.WriteString(strings.NewReplacer("n", "\n", "t", "\t").Replace(text[i : i+1]))
		case !quoted && (c == ' ' || c == '\t' || c == '\n'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
