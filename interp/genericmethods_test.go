package interp

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestInstancesOfUnnamedTypes: an instance of a generic type that only an unnamed type of an earlier cell mentions gets
// the methods that come later, as all instances do. Found by a random program.
func TestInstancesOfUnnamedTypes(t *testing.T) {
	r := newRecorder(t, Options{})
	for i, c := range []struct{ src, want string }{
		{`type flag bool
func (f flag) String() string { return "flag" }
type share float32
type of[P any] struct{}
func (f flag) has(p of[uint32]) (all []flag) { return []flag{f} }
var seen flag = true`, ""},
		{`switch v := any(1).(type) {
case [2]string:
	fmt.Printf("", v)
	var w interface{ has(of[uint32]) []flag } = &seen
	fmt.Println(w.has(of[uint32]{}))
}`, ""},
		{`func (o of[P]) share() share { return 1 }`, ""},
		{`seen.has(of[uint32]{}), of[uint32]{}.share()`, "[flag] 1\n"},
	} {
		assert.Equal(t, c.want, r.Run(i+1, c.src))
	}
}
