package repl

import (
	"bufio"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/magic"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// promptText is what stands before a cell.
func (r *repl) promptText() string { return fmt.Sprintf("In [%d]: ", r.count()) }

// marker begins a line that begins a cell, in files and pipes: the percent format of Jupytext, VS Code and Spyder,
// whose header, when it has one, stands between two lines percentHead.
const (
	marker      = "// %%"
	percentHead = "// ---\n"
)

// split returns the cells of a text: one, but for markers. In a program they are comments.
func (r *repl) split(src string) (cells []string) {
	if isProgram(src) || !hasMarker(src) {
		return []string{src}
	}
	return r.Cells(src)
}

func hasMarker(src string) bool {
	for line := range strings.Lines(src) {
		if strings.HasPrefix(line, marker) {
			return true
		}
	}
	return false
}

// script runs the cells of a file.
func (r *repl) script() error {
	src, err := magic.ReadSource(r.File)
	if err != nil {
		return err
	}
	return r.each(r.split(src))
}

// each runs cells until one fails, or all of them; its error is the first failure.
func (r *repl) each(cells []string) (first error) {
	for _, src := range cells {
		if err := r.run(src); err != nil && first == nil {
			first = err
		}
		if first != nil && !r.KeepGoing || r.leave {
			break
		}
	}
	return first
}

// batch runs what is piped in, cell by cell: a cell ends where the text is whole, or at a marker when a marker began
// it. A program is one cell.
func (r *repl) batch() (first error) {
	in := bufio.NewReader(r.In)
	var cell strings.Builder
	marked, began, head := false, false, ""
	for !r.leave {
		line, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("reading cells from the standard input: %w", err)
		}
		if !began && (line == percentHead || strings.HasPrefix(line, "// -*- coding:")) {
			head = percentHead + percentHead // how the cells are written
		}
		began = true
		mark := strings.HasPrefix(line, marker) && (marked || !isProgram(cell.String()))
		if !mark {
			cell.WriteString(line)
		}
		if mark || err == io.EOF || !marked && r.ends(cell.String()) {
			cells := []string{cell.String()}
			if marked {
				cells = r.Cells(head + cells[0])
			}
			if rerr := r.each(cells); rerr != nil && first == nil {
				first = rerr
			}
			cell.Reset()
		}
		if mark {
			cell.WriteString(line)
		}
		marked = marked || mark
		if err == io.EOF || first != nil && !r.KeepGoing {
			break
		}
	}
	return first
}

// ends reports whether a cell that is read line by line is at its end.
func (r *repl) ends(src string) bool {
	if isCommand(src) {
		return true
	}
	if isProgram(src) {
		return false
	}
	status, _ := r.Session.IsComplete(strings.TrimSuffix(src, "\n"))
	return status != "incomplete"
}

// isProgram reports whether src begins with a package clause.
func isProgram(src string) bool {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, 0)
	_, tok, _ := sc.Scan()
	return tok == token.PACKAGE
}

// plain reads cells from a terminal that is not to be drawn on: a prompt, and the terminal's own line.
func (r *repl) plain() error {
	r.screen.out, r.screen.err = r.Out, os.Stderr
	r.stdin = openStdin()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ask, lines := make(chan struct{}), make(chan string)
	go func() { // a read cannot be interrupted; it ends with the process
		in := bufio.NewReader(r.In)
		for range ask {
			line, err := in.ReadString('\n')
			if err != nil {
				close(lines)
				return
			}
			lines <- line
		}
	}()
	r.screen.print(display.Wrap(r.Banner, r.width()) + "\n")
	var cell strings.Builder
	asked := false
	for !r.leave {
		if prompt := r.promptText(); cell.Len() == 0 {
			r.screen.complain(prompt)
		} else {
			r.screen.complain(strings.Repeat(" ", len(prompt)-5) + "...: ")
		}
		if !asked {
			ask <- struct{}{}
			asked = true
		}
		select {
		case <-interrupts:
			cell.Reset()
			r.screen.complain("\n")
		case line, ok := <-lines:
			if !ok {
				r.screen.complain("\n")
				return nil
			}
			asked = false
			cell.WriteString(line)
			if r.ends(cell.String()) {
				r.run(cell.String()) // a failure has been shown; the next cell is read
				cell.Reset()
			}
		}
		select { // an interrupt of the cell is not one of the next line
		case <-interrupts:
		default:
		}
	}
	return nil
}
