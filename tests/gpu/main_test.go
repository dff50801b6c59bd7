package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// All tests run on a driver without a GPU, whose kernels the CPU engine computes from their PTX, and on libraries of
// plain loops.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "")
	if err == nil {
		_, err = fake.Start(dir)
	}
	if err == nil {
		err = fake.Libraries(dir)
	}
	if errors.Is(err, fake.ErrNone) {
		fmt.Println("skipped:", err)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv(cudabackend.LibrariesVariable, dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// The program itself: all bits are equal.
func TestPageOfTheFakeDriver(t *testing.T) {
	testsize.InTurn(t, 1)
	var out strings.Builder
	good, err := page(&out, "cuda:0", 60, 2000, 12, 1<<20, 4096, false)
	require.NoError(t, err)
	if !good {
		t.Error(out.String())
	}
	for _, want := range []string{"60 kernels give the bits", "saxpy, f32", "| system of float64 | cuSOLVER does it |", "512 gathers from a file of 4096 numbers, in lines of 4096 bytes: 0 wrong"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
}

// The corpus as a file, for machines without Go, is the same kernels: their bits are equal too, without the go command.
func TestCompiledCorpus(t *testing.T) {
	testsize.InTurn(t, 2)
	dir := t.TempDir()
	file := filepath.Join(dir, "corpus.json")
	require.NoError(t, writeCorpus(file))
	require.NoError(t, readCorpus(file))
	t.Setenv("PATH", dir)
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	cudabackend.Register(r)
	d, err := r.Get("cuda:0")
	require.NoError(t, err)
	defer d.Close()
	var out strings.Builder
	good, err := corpus(&out, r, "cuda:0", 80, true)
	require.NoError(t, err)
	if !good || !strings.Contains(out.String(), "| MatMulTiled | yes |") {
		t.Error(out.String())
	}
}
