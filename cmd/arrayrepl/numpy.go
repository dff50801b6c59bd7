package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/interp"
)

// numPyDoc says what a name of NumPy is called here.
func numPyDoc(s *interp.Session, name string) string {
	ours, ok := arrays.FromNumPy(name)
	if !ok {
		return fmt.Sprintf("arrays have no %s, or by another name: %%doc numpy lists the names", name)
	}
	query := "np." + ours
	if method, isMethod := strings.CutPrefix(ours, "x."); isMethod {
		query = "np.Zeros(1)." + method
	}
	text := name + " is " + calledHere(ours)
	if d, found := s.Describe(query, len(query), 0); found {
		text += "\n\n" + d.Plain()
	}
	return text
}

// calledHere is what arrays.FromNumPy gives, for people.
func calledHere(ours string) string {
	if method, isMethod := strings.CutPrefix(ours, "x."); isMethod {
		return "the method " + method
	}
	return "np." + ours
}

// numPyConstants are names of NumPy that Go has elsewhere.
var numPyConstants = map[string]string{"pi": "math.Pi", "e": "math.E", "inf": "math.Inf(1)", "nan": "math.NaN()", "euler_gamma": "0.5772156649015329"}

var (
	unknownName = regexp.MustCompile(`^undefined: (?:np|arrays)\.\w+( \(but have \w+\))?$| undefined \(type \*?(?:np|arrays)\.Array has no field or method \w+()\)$`)
	toArray     = regexp.MustCompile(`^cannot convert .* to type np\.Array$`)
	dotted      = regexp.MustCompile(`^[\pL_][\pL\d_]*(\.[\pL_][\pL\d_]*)*`)
)

// numPyHint tells who writes a name of NumPy, with a capital or without, what it is called here.
func numPyHint(message, text string) string {
	if toArray.MatchString(message) {
		return "arrays are made by np.FromSlice here"
	}
	m := unknownName.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	name := strings.ToLower(dotted.FindString(text))
	if m[1] != "" && !strings.Contains(name, ".") {
		return "" // the checker has proposed one
	}
	for n := name; n != ""; n = n[:max(strings.LastIndexByte(n, '.'), 0)] { // of linalg.inv.shape, linalg.inv
		if c := numPyConstants[n]; c != "" {
			return fmt.Sprintf("NumPy's %s is %s in Go", n, c)
		}
		if ours, ok := arrays.FromNumPy(n); ok {
			return fmt.Sprintf("NumPy's %s is %s here", n, calledHere(ours))
		}
	}
	if strings.HasPrefix(name, "random") {
		return "random numbers come from a generator here: rng := np.DefaultRNG(1)"
	}
	return ""
}
