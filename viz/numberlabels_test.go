package viz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Labels of bars that are numbers are drawn at equal distances, whatever their lengths, and do not touch; names are
// drawn where there is room.
func TestNumbersOfBarsAreEquallyFarApart(t *testing.T) {
	for _, n := range []int{2, 9, 32, 33, 200} {
		var labels []string
		for i := range n {
			labels = append(labels, fmt.Sprint(float64(i-n/2)/8))
		}
		apart := 680 / float64(n)
		every := everyLabel(labels, apart)
		assert.False(t, crowded(labels, every, apart), "%d bars", n)
		assert.True(t, every == 1 || crowded(labels, every-1, apart), "%d bars: more fit than each of %d", n, every)
	}
	assert.Equal(t, 1, everyLabel(strings.Fields("a long name and 1 2 3 4 5"), 1))
	assert.Equal(t, 1, everyLabel(nil, 1))
}
