package brief

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBrief(t *testing.T) {
	long := strings.Repeat("é", 1_000_000)
	assert.Equal(t, "ab", Text("ab"))
	assert.Equal(t, strings.Repeat("é", Most)+"…", Text(long))
	assert.Equal(t, strings.Repeat("é", Most), Text(strings.Repeat("é", Most)))
	assert.Equal(t, `"a\x00"`, Quoted("a\x00"))
	assert.Less(t, len(List(make([]string, 1_000_000))), 200)
}
