package supervise_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
)

// A goroutine that reads is found with its cell's context, also after the cell; one that reads nothing is not.
func TestReadingFindsTheCellThatWaits(t *testing.T) {
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	before := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = before }()
	r := newRecorder(t, interp.Options{})
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "the first cell")
	if _, err := r.session.Run(ctx, 1, "go os.Stdin.Read(make([]byte, 1))\ngo func() { select {} }()"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		found := r.session.Reading()
		if len(found) == 1 {
			if found[0].Value(key{}) != "the first cell" {
				t.Error("the context is another")
			}
			break
		}
		if len(found) > 1 || time.Now().After(deadline) {
			t.Fatalf("%d cells read", len(found))
		}
		time.Sleep(time.Millisecond)
	}
	to.WriteString("x")
	for len(r.session.Reading()) > 0 {
		if time.Now().After(deadline) {
			t.Fatal("it has read, and still counts as waiting")
		}
		time.Sleep(time.Millisecond)
	}
}
