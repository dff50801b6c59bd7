// Package blas lets package arrays multiply and factor matrices with a BLAS and LAPACK of the machine: OpenBLAS, or
// Intel's MKL. Without it arrays has code of its own, whose results are the same bits everywhere; a library's are as
// accurate, but its own. Start with [Use]. Only who imports the package links what opens libraries, and it needs no C
// compiler.
package blas

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

// Variable is the environment variable that names the library for the arrayrepl command: a path, or a name that the
// system knows, as libopenblas.so.0.
const Variable = "ARRAYREPL_BLAS"

// Use opens a library, by path or name, and has all matrices multiplied and factored by it from then on. An empty name
// is the code of package arrays again.
func Use(name string) error {
	if name == "" {
		dense.Use(nil)
		return nil
	}
	l, err := open(name)
	if err != nil {
		return fmt.Errorf("%s cannot be used for linear algebra: %w", name, err)
	}
	dense.Use(&dense.Library{Real: routines[float64](l, "d"), Complex: routines[complex128](l, "z"), Multiply: l.multiply})
	return nil
}

// names are the functions that a library must have; "?" stands for d and z. Those of real numbers alone have or in
// place of un, and sy in place of he.
var names = []string{"?gesv", "?getrf", "?getrs", "?getri", "?potrf", "?geqrf", "?geev", "?gesdd", "?gelsd", "dorgqr", "zungqr", "dsyevd", "zheevd",
	"sgemm", "dgemm", "cgemm", "zgemm"}
