package poison

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFill(t *testing.T) {
	before := Set(false)
	defer Set(before)
	b := []byte{1, 2, 3}
	Fill(b)
	assert.Equal(t, []byte{1, 2, 3}, b, "the mode is off")
	assert.False(t, Set(true))
	Fill(b[:2])
	assert.Equal(t, []byte{255, 255, 3}, b)
}
