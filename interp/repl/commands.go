package repl

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/magic"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// command is a cell of one line that the terminal itself obeys: %name and an argument. All other magics are the
// session's.
type command struct {
	name, arg, help string
	run             func(r *repl, arg string) error
}

// commands is in the order of %help. It is a function because %help reads it.
func commands() []command {
	return []command{
		{"%help", "", "show this", (*repl).help},
		{"%load", "FILE", "run the cells of a notebook, or a Go file as one cell", (*repl).load},
		{"%save", "FILE.ipynb", "write the cells and what they gave as a notebook", (*repl).save},
		{"%pager", "on|off", "show help and documentation higher than the terminal with $PAGER or less, or print it", (*repl).setPager},
		{"%quit", "", "leave; so does Ctrl-D", (*repl).quit},
	}
}

// keysHelp is the first part of %help.
const keysHelp = `Enter            run the cell if it is whole, else begin a line, as Alt-Enter does
Tab              complete: Tab and arrows choose, Enter takes, Esc leaves
Shift-Tab        say what the name at the cursor is
Up, Down         earlier cells that begin like this one; Ctrl-R searches them all
Ctrl-C           drop the line, or interrupt the cell that runs
Ctrl-_ or Alt-Z  undo; Ctrl-K, Ctrl-U, Ctrl-W cut, Ctrl-Y puts back
`

// isCommand reports whether src is a command or a question rather than Go.
func isCommand(src string) bool {
	src = strings.TrimSpace(src)
	if strings.Contains(src, "\n") {
		return false
	}
	if name, ok := question(src); ok {
		return name != ""
	}
	name, arg, _ := strings.Cut(src, " ")
	for _, c := range commands() {
		if c.name == name && (c.arg != "" || strings.TrimSpace(arg) == "") {
			return true
		}
	}
	return plainWords[plainWord(src)] != ""
}

// plainWords are what people type who do not know of the commands. They are Go where a cell has declared such a name.
var plainWords = map[string]string{"exit": "%quit", "quit": "%quit", "help": "%help", "?": "%help"}

// plainWord returns the one of plainWords that src is, "" when it is none.
func plainWord(src string) string {
	if word := strings.TrimSuffix(strings.TrimSpace(src), "()"); plainWords[word] != "" {
		return word
	}
	return ""
}

// asksForText reports whether a cell's result is a text that was asked for to be read.
func asksForText(src string) bool {
	src = strings.TrimSpace(src)
	return !strings.Contains(src, "\n") && (src == "%doc" || strings.HasPrefix(src, "%doc ") || strings.HasPrefix(src, "?") || strings.HasSuffix(src, "?"))
}

// question returns the name that ?name or name? asks for. Go has no question marks outside strings and comments.
func question(src string) (name string, ok bool) {
	name = strings.TrimSpace(strings.Trim(src, "?"))
	if name == src || name == "" {
		return "", false
	}
	for _, r := range name {
		if !isWord(r) && r != '.' {
			return "", false
		}
	}
	return name, true
}

// command runs a command.
func (r *repl) command(src string) error {
	src = strings.TrimSpace(src)
	if name, ok := question(src); ok {
		return r.inspect(name)
	}
	name, arg, _ := strings.Cut(src, " ")
	if word := plainWord(name); word != "" {
		name = plainWords[word]
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		if arg = strings.TrimSpace(arg); (arg == "") != (c.arg == "") {
			return r.fail(fmt.Errorf("usage: %s", strings.TrimSpace(c.name+" "+c.arg)))
		}
		return c.run(r, arg)
	}
	return nil
}

func (r *repl) help(string) error {
	r.page(display.Wrap(keysHelp+"\n"+r.Session.Help(), r.width()))
	return nil
}

// addCommands makes the session know the commands, for %help, completion and cells in which they stand among others.
func (r *repl) addCommands() {
	for _, c := range commands() {
		if c.name == "%help" || c.name == "%load" {
			continue // the session's do the same there
		}
		r.Session.Add(magic.Magic{Name: c.name, Arg: c.arg, Help: c.help, Run: func(*magic.Call) (display.Bundle, error) {
			return display.Bundle{}, errors.New("in the terminal it must be a cell of its own")
		}})
	}
}

// inspect says what a name is.
func (r *repl) inspect(name string) error {
	text, ok := r.Session.Inspect(name, utf8.RuneCountInString(name))
	if !ok {
		r.fit()
		b, ok := r.Session.Page(name)
		if !ok {
			return r.fail(fmt.Errorf("nothing is known of %s", name))
		}
		r.page(strings.TrimRight(b.Text(), "\n") + "\n")
		return nil
	}
	text = described(text, r.width()).VTString()
	if !r.color {
		text = display.Plain(text)
	}
	r.page(text + "\n")
	return nil
}

// load runs what a file holds and shows it as if it had been typed. It stops at the first cell that fails.
func (r *repl) load(path string) error {
	var cells []string
	var err error
	if filepath.Ext(path) == ".ipynb" {
		if r.Load == nil {
			return r.fail(fmt.Errorf("notebooks cannot be read here"))
		}
		cells, err = r.Load(path)
	} else {
		var src string
		src, err = magic.ReadSource(path)
		cells = r.split(src)
	}
	if err != nil {
		return r.fail(err)
	}
	for _, src := range cells {
		if src = strings.TrimSpace(src); src == "" {
			continue
		}
		r.echo(src)
		if err := r.run(src); err != nil {
			return err
		}
	}
	return nil
}

// echo prints a cell with its prompt.
func (r *repl) echo(src string) {
	prompt := r.promptText()
	code := spaces(src)
	if r.color {
		code = highlight(code).VTString()
	}
	code = strings.ReplaceAll(code, "\n", "\n"+strings.Repeat(" ", len(prompt)))
	r.screen.print(r.paint("\x1b[1;32m", prompt) + code + "\n")
}

// save writes the cells that have run as a notebook.
func (r *repl) save(path string) error {
	if filepath.Ext(path) != ".ipynb" {
		return r.fail(fmt.Errorf("%s: a notebook's name ends in .ipynb", path))
	}
	if r.Save == nil {
		return r.fail(fmt.Errorf("notebooks cannot be written here"))
	}
	if err := r.Save(path, r.cells); err != nil {
		return r.fail(err)
	}
	r.screen.print(fmt.Sprintf("%d cells are in %s.\n", len(r.cells), path))
	return nil
}

func (r *repl) quit(string) error {
	r.leave = true
	return nil
}
