package main

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/interp"
)

// numPyDoc says what a name of NumPy is called here.
func numPyDoc(s *interp.Session, name string) string {
	ours, ok := arrays.FromNumPy(name)
	if _, member, dotted := strings.Cut(name, "."); !ok && dotted { // of an array of the session
		ours, ok = arrays.FromNumPy(member)
	}
	if !ok {
		return fmt.Sprintf("arrays have no %s, or by another name: %%doc numpy lists the names", name)
	}
	query := "np." + ours
	if method, isMethod := strings.CutPrefix(ours, "x."); isMethod {
		query = "np.Zeros(1)." + method
	} else if method, isMethod := strings.CutPrefix(ours, "rng."); isMethod {
		query = "np.DefaultRNG(1)." + method
	}
	text := name + " is " + calledHere(ours)
	if d, found := s.Describe(query, len(query), 0); found {
		text += "\n\n" + d.Plain()
	}
	return text
}

// namesNumPy says whether a name that no package has, np.sort or x.mean, is NumPy's of a function or of an array's
// method.
func namesNumPy(s *interp.Session, name string) bool {
	of, member, dotted := strings.Cut(name, ".")
	if _, ok := arrays.FromNumPy(member); !dotted || !ok {
		return false
	}
	if _, ours := s.Describe(name, len(name), 0); ours {
		return false
	}
	d, found := s.Describe(of, len(of), 0)
	return of == "np" || found && strings.HasSuffix(d.Signature, " *np.Array")
}

// calledHere is what arrays.FromNumPy gives, for people.
func calledHere(ours string) string {
	if method, isMethod := strings.CutPrefix(ours, "x."); isMethod {
		return "the method " + method
	}
	if strings.HasPrefix(ours, "rng.") {
		return ours + " (rng := np.DefaultRNG(1))"
	}
	return "np." + ours
}
