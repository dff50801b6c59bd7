package main

import (
	"flag"
	"log"
	"os"
	"regexp"
	"strings"
)

// The loops of signed and of unsigned numbers are often the same, and so are those that select: a sum wraps in one way,
// and what moves bits does not ask what they mean. Each code is kept once, by the name that it has first; a program
// links all loops of the operations that it names, with tables for tracebacks and debuggers, so that this is a tenth
// of a megabyte less.

// keepOnce takes the functions that have the code of an earlier one out of the file of assembly that was written, and
// out of t, where the earlier one's name takes their place.
func (t *tables) keepOnce() {
	path := flag.Lookup("out").Value.String()
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	const begin = "\n// func "
	parts := strings.Split(string(text), begin)
	first := map[string]string{} // names by code
	kept := parts[:1]
	for _, part := range parts[1:] {
		name, _, _ := strings.Cut(part, "(")
		_, code, found := strings.Cut(part, "\nTEXT ")
		_, code, _ = strings.Cut(code, "\n")
		code = strings.TrimSpace(code)
		if !found || strings.Contains(code, "GLOBL") { // what stands between functions comes with the one before
			kept = append(kept, part)
			continue
		}
		if of := first[code]; of != "" {
			t.same = append(t.same, [2]string{name, of})
			continue
		}
		first[code] = name
		kept = append(kept, part)
	}
	joined := strings.TrimRight(strings.Join(kept, begin), "\n") + "\n"
	if err := os.WriteFile(path, []byte(joined), 0o644); err != nil {
		log.Fatal(err)
	}
}

// named is the text of t in which functions that were not kept have the names of those that were.
func (t *tables) named(text string) string {
	of := map[string]string{}
	for _, s := range t.same {
		of[s[0]] = s[1]
	}
	text = regexp.MustCompile(`\n//go:noescape\nfunc (\w+)\([^\n]*\n`).ReplaceAllStringFunc(text, func(decl string) string {
		_, name, _ := strings.Cut(decl, "func ")
		name, _, _ = strings.Cut(name, "(")
		if of[name] != "" {
			return ""
		}
		return decl
	})
	return regexp.MustCompile(`\w+`).ReplaceAllStringFunc(text, func(word string) string {
		if name := of[word]; name != "" {
			return name
		}
		return word
	})
}
