package magic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
)

// Part is a run of a cell's text, for tools that translate cells.
type Part struct {
	Go    string // what is to be run as Go: the text, or what a magic runs; "" for a magic that runs none
	Line  int    // of Go in the cell, from 1
	Magic string // the magic's first line, "" for Go
	Help  string // what the magic does
}

// Parts cuts a cell into its parts, as Run does. Where the cell is a program, what runs it is a part too.
func (s *Session) Parts(src string) []Part {
	src = strings.TrimPrefix(src, byteOrderMark)
	parts := callsLast(s.split(src))
	w := partWriter{Session: s, program: s.isProgram(parts)}
	w.add(parts, src, 1)
	if w.main {
		w.parts = append(w.parts, Part{Go: "main();", Line: 1})
	}
	if w.arguments {
		w.parts = append(w.parts, Part{Go: "os.Args = os.Args[:1]", Line: 1})
	}
	return w.parts
}

type partWriter struct {
	*Session
	program   bool
	main      bool // the program's func main is to be called
	arguments bool // the cell sets them
	parts     []Part
}

// add adds the parts of a text that begins in a line of the cell.
func (w *partWriter) add(parts []part, src string, line int) {
	for _, p := range parts {
		at := line + p.line - 1
		if p.magic != nil {
			w.magic(p, src, at)
			continue
		}
		w.parts = append(w.parts, Part{Go: p.text, Line: at})
		if w.program {
			calls, main := programCalls(p.text)
			w.main = w.main || main
			if calls != "" {
				w.parts = append(w.parts, Part{Go: calls, Line: at})
			}
		}
	}
}

func (w *partWriter) magic(p part, src string, line int) {
	m, part := p.magic, Part{Line: line}
	part.Magic, _, _ = strings.Cut(strings.TrimSpace(src[p.start:p.end]), "\n")
	if def := w.table[m.name]; def != nil {
		part.Help = def.Help
	}
	switch m.name {
	case mainCell, mainWord:
		w.set(m.arg, "\nflag.Parse()", line)
		body, at := "", 0
		for _, inner := range w.split(m.body) { // magics come before the body
			if inner.magic != nil {
				w.magic(inner, m.body, line+inner.line)
				body += m.body[at:inner.start] + strings.Repeat("\n", strings.Count(m.body[inner.start:inner.end], "\n"))
				at = inner.end
			}
		}
		part.Go = mainHead + "\n" + body + m.body[at:] + mainTail
	case "%args":
		w.set(m.arg, "", line) // main parses them
	case "%exec":
		name, args, _ := strings.Cut(m.arg, " ")
		w.set(args, "\nflag.Parse()", line)
		part.Go = name + "();"
	case "%time":
		part.Go = m.arg
	case "%%time":
		part.Go, part.Line = m.body, line+1
	}
	w.parts = append(w.parts, part)
}

// set adds what gives the program its arguments, and what comes then.
func (w *partWriter) set(arg, then string, line int) {
	words := splitWords(arg)
	if len(words) == 0 {
		return
	}
	for i, word := range words {
		words[i] = strconv.Quote(word)
	}
	w.arguments = true
	w.parts = append(w.parts, Part{Go: fmt.Sprintf("os.Args = append(os.Args[:1:1], %s)", strings.Join(words, ", ")) + then, Line: line})
}

// programCalls returns the calls of the functions that a program of GoNB's starts with, and whether it has a main to
// call.
func programCalls(src string) (calls string, main bool) {
	var inits []string
	for _, f := range interp.DeclaredFunctions(src) {
		switch {
		case strings.HasPrefix(f, "init_"):
			inits = append(inits, f+"();")
		case f == "main" && !callsMain.MatchString(src):
			main = true
		}
	}
	return strings.Join(inits, " "), main
}
