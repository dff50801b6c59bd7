package main

import (
	"flag"
	"os"

	"github.com/arrayrepl/arrayrepl/install"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
	"github.com/arrayrepl/arrayrepl/kernel/notebook/trust"
)

// signatures is where the signatures of this user's notebooks are.
func signatures() trust.Store {
	return trust.Store{Own: stateFile("trusted"), Jupyter: install.UserData()}
}

// rememberNotebook makes known a notebook that a run has written. That it cannot be is not an error of the run: it is
// sanitised then. The file is not read again: it may be a pipe.
func rememberNotebook(nb *notebook.Notebook) {
	if data, err := nb.JSON(); err == nil {
		signatures().Remember(data)
	}
}

// care is what a page of a notebook may hold.
type care struct{ sanitize, trust bool }

func careFlags(flags *flag.FlagSet) *care {
	c := &care{}
	flags.BoolVar(&c.sanitize, "sanitize", false, "take out scripts and all else that could run, whoever wrote the notebook; charts are pictures then")
	flags.BoolVar(&c.trust, "trust", false, "keep scripts, though the notebook's signature is unknown: neither Jupyter nor arrayrepl run has written it here")
	return c
}

// of reports whether the notebook at path must be sanitised.
func (c *care) of(path string) bool {
	if c.sanitize || c.trust {
		return c.sanitize
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // what has been read of a pipe is gone
		return true
	}
	data, err := budget.ReadFile(path, "the notebook", 0)
	return err != nil || !signatures().Knows(data)
}

// sanitizedNote says that a page has lost something.
const sanitizedNote = "The signature of %s is unknown: its scripts were taken out, and charts are pictures. --trust keeps them; docs/security.md has more.\n"
