package interp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNilErrorsAreNotShown: x, err at the end of a cell shows what a call that returns both does.
func TestNilErrorsAreNotShown(t *testing.T) {
	r := newRecorder(t, Options{GoText: true})
	for i, c := range []struct{ cell, want string }{
		{`strconv.Atoi("12")`, "12"},
		{`n, err := strconv.Atoi("12"); n, err`, "12"},
		{"n, err", "12"},
		{"n, nil", "12"},
		{"n, n, err", "12, 12"},
		{"err, n", "<nil>, 12"},
		{"n, any(nil)", "12, <nil>"},
		{`m, failed := strconv.Atoi("z"); m, failed`, "0\nerror: strconv.Atoi: parsing \"z\": invalid syntax"},
	} {
		got := strings.TrimSpace(r.Run(i+1, c.cell))
		assert.Truef(t, strings.HasPrefix(got, c.want), "%s: %s, want %s", c.cell, got, c.want)
		assert.Equalf(t, strings.Contains(c.want, "nil"), strings.Contains(got, "nil"), "%s: %s", c.cell, got)
	}
}
