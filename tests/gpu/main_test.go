package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
)

// The program itself, on a driver without a GPU, whose kernels the CPU engine computes from their PTX: all bits are equal.
func TestPageOfTheFakeDriver(t *testing.T) {
	_, err := fake.Start(t.TempDir())
	if errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	good, err := page(&out, "cuda:0", 60, 2000, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if !good || !strings.Contains(out.String(), "60 kernels give the bits") || !strings.Contains(out.String(), "saxpy, f32") {
		t.Error(out.String())
	}
}
