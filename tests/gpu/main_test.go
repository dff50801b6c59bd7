package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
)

// The program itself, on a driver without a GPU, whose kernels the CPU engine computes from their PTX: all bits are equal.
func TestPageOfTheFakeDriver(t *testing.T) {
	dir := t.TempDir()
	_, err := fake.Start(dir)
	if err == nil {
		err = fake.Libraries(dir)
	}
	if errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(cudabackend.LibrariesVariable, dir)
	var out strings.Builder
	good, err := page(&out, "cuda:0", 60, 2000, 12, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if !good || !strings.Contains(out.String(), "60 kernels give the bits") || !strings.Contains(out.String(), "saxpy, f32") || !strings.Contains(out.String(), "| system of float64 | cuSOLVER does it |") {
		t.Error(out.String())
	}
}
