package kir

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each operation is found by the name that it prints, and by no other's.
func TestOpNamed(t *testing.T) {
	for op := OpInvalid + 1; op < NumOps; op++ {
		if opTable[op].name != "" {
			assert.Equal(t, op, OpNamed(op.String()))
		}
	}
	assert.Equal(t, OpInvalid, OpNamed(""))
	assert.Equal(t, OpInvalid, OpNamed("logical_and"))
}
