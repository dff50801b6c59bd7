package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/goplus/ixgo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// The methods of run-time types take slots of a table. When there are none left the session says so, and runs on.
func TestMethodSlotsRunOut(t *testing.T) {
	testsize.InTurn(t, 1)
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if slots, _, _ := ixgo.IcallStat(); slots < 20_000 {
		t.Errorf("there are %d slots, want those of the large table", slots)
	}
	var cell strings.Builder
	cell.WriteString("type T struct{}\n")
	for i := range 400 {
		fmt.Fprintf(&cell, "func (T) M%d() {}\n", i)
	}
	for n := 0; err == nil; n++ {
		if n > 100 {
			t.Fatal("the slots do not run out")
		}
		_, err = s.Run(context.Background(), n, cell.String())
	}
	for _, want := range []string{"the types of this cell have 400 methods (the session's own 400)", "used up its run-time methods"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q in it", err, want)
		}
	}
	if b, err := s.Run(context.Background(), 1, "1 + 1"); err != nil || b.Text() != "2" {
		t.Errorf("afterwards 1 + 1 is %v, %v", b.Text(), err)
	}
	s.Close()
	other, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Run(context.Background(), 1, cell.String()); err != nil {
		t.Errorf("a new session, after the other was closed: %v", err)
	}
}

// Methods of pointers that first fields bring share their slots: many such types fit into a session.
func TestSlotsOfEmbeddedMethods(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	defer s.Close()
	var cell strings.Builder
	cell.WriteString("type T struct{ n int }\n")
	for i := range 100 {
		fmt.Fprintf(&cell, "func (t *T) M%d() int { return t.n + %d }\n", i, i)
	}
	cell.WriteString("type M interface{ M7() int }\nvar all []M\n")
	for i := range 110 {
		fmt.Fprintf(&cell, "type E%d struct{ T; m [%d]int }\nall = append(all, &E%d{T: T{%d}})\n", i, i, i, i)
	}
	_, before, _ := ixgo.IcallStat()
	_, err = s.Run(context.Background(), 1, cell.String())
	require.NoError(t, err)
	_, after, _ := ixgo.IcallStat()
	assert.Less(t, after-before, 1000)
	b, err := s.Run(context.Background(), 2, "all[109].M7()")
	require.NoError(t, err)
	assert.Equal(t, "116", b.Text())
}
