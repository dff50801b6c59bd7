// Package mat is lazy/gonum/mat with what gonum's own tests of it need beside.
package mat

import (
	"gonum.org/v1/gonum/mat"

	ours "github.com/arrayrepl/arrayrepl/lazy/gonum/mat"
)

type (
	Dense  = ours.Dense
	Matrix = mat.Matrix
)

var (
	NewDense = ours.NewDense
	Det      = ours.Det

	// What the tests compare with.
	Equal       = mat.Equal
	EqualApprox = mat.EqualApprox
	Norm        = mat.Norm
	ErrShape    = mat.ErrShape
)

// Types of gonum's that the tests compare with.
type (
	SymDense = mat.SymDense
	Cholesky = mat.Cholesky
)

// What goes through all types of gonum's matrices has no part here.
func testOneInputFunc(...any) {}

func sameAnswerFloatApproxTol(float64) any { return nil }

var isAnyType, isSquare any

func DenseCopyOf(a Matrix) *Dense {
	var c Dense
	c.CloneFrom(a)
	return &c
}

func asBasicMatrix(a Matrix) Matrix { return mat.DenseCopyOf(a) }

func asBasicDense(a *Dense) *Dense { return a }
