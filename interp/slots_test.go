package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/goplus/ixgo"
)

// The methods of run-time types take slots of a table. When there are none left the session says so, and runs on.
func TestMethodSlotsRunOut(t *testing.T) {
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
	if !strings.Contains(err.Error(), "used up its run-time methods") {
		t.Errorf("the error is %v", err)
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
