package main

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// parameters are the values that `arrayrepl run` gives a notebook, as Go assignments.
type parameters struct{ names, values []string }

// parse adds name=value. Numbers, true and false stay what they are; all else, and everything when raw, is a string.
func (p *parameters) parse(arg string, raw bool) error {
	name, value, ok := strings.Cut(arg, "=")
	if !ok || !token.IsIdentifier(name) {
		return fmt.Errorf("want name=value, with a name that Go allows")
	}
	if raw || !isLiteral(value) {
		value = strconv.Quote(value)
	}
	p.names, p.values = append(p.names, name), append(p.values, value)
	return nil
}

func isLiteral(s string) bool {
	if s == "true" || s == "false" {
		return true
	}
	if _, err := strconv.ParseInt(s, 0, 64); err == nil {
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, "nN")
}

// inject puts the values into nb. Behind a cell tagged "parameters" they are assigned to what it declares: a name or a
// type that does not fit is an error of the cell, instead of a variable that nobody reads.
func (p *parameters) inject(nb *notebook.Notebook) {
	if len(p.names) == 0 {
		return
	}
	op := " := "
	if nb.HasParameters() {
		op = " = "
	}
	var b strings.Builder
	b.WriteString("// Parameters of this run\n")
	for i, name := range p.names {
		b.WriteString(name + op + p.values[i] + "\n")
	}
	nb.Inject(strings.TrimSuffix(b.String(), "\n"))
}
