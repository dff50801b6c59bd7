package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// workerVariable makes the program of the tests a worker.
const workerVariable = "ARRAYREPL_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) == "" {
		os.Exit(m.Run())
	}
	err := fake.Attach()
	if err == nil {
		err = cudabackend.ServeWorker()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The program goes through all it measures on a driver without a GPU, with a Python that has none of the peers, and
// says so.
func TestPageOfTheFakeDriver(t *testing.T) {
	testsize.InTurn(t, 1)
	dir := t.TempDir()
	_, err := fake.Start(dir)
	if err == nil {
		err = fake.Libraries(dir)
	}
	if errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Setenv(cudabackend.LibrariesVariable, dir)
	self, err := os.Executable()
	require.NoError(t, err)
	o := options{Device: "cuda:0", N: 3000, Side: 20, Turns: 1, worker: []string{"/usr/bin/env", workerVariable + "=1", self}}
	python := "no Python was named"
	if path, err := exec.LookPath("python3"); err == nil {
		bare := filepath.Join(dir, "python")
		// without site-packages
		require.NoError(t, os.WriteFile(bare, []byte("#!/bin/sh\nexec "+path+" -I -S \"$@\"\n"), 0o700))
		o.python, python = bare, "Absent: torch.compile: ModuleNotFoundError"
	}
	var out strings.Builder
	require.NoError(t, page(&out, o))
	for _, want := range []string{"Fake GPU", "| saxpy float32 |", "| sum of axis 1 float32 |", "| running sum float32 |", "| sort uint32 |", "| mesh times a vector float32 |",
		"| Black-Scholes float64 |", "| Haversine float32 |", "TFLOP/s",
		"A cell with 40 operations on one shape issues 1 kernels", "| in process |", "| through the worker |", python} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
}
