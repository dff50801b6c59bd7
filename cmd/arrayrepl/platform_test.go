package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

func TestMain(m *testing.M) {
	if os.Getenv("ARRAYREPL_TEST_WAITS") != "" {
		os.Stdout.WriteString("waiting")
		time.Sleep(time.Minute)
		return
	}
	if os.Getenv("ARRAYREPL_TEST_IS_THE_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// A program that lab has started ends when it is asked to.
func TestAskToEnd(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ARRAYREPL_TEST_WAITS=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	if _, err := out.Read(make([]byte, 1)); err != nil { // it is there
		t.Fatal(err)
	}
	begun := time.Now()
	assert.NoError(t, askToEnd(cmd.Process))
	if err := cmd.Wait(); err == nil || time.Since(begun) > 30*time.Second {
		t.Errorf("it ended with %v after %v", err, time.Since(begun))
	}
}

// The Python of a virtual environment is where Python itself puts it.
func TestVenvPython(t *testing.T) {
	python := judges.Python(t, "venv")
	venv := filepath.Join(t.TempDir(), "venv")
	if out, err := exec.Command(python, "-m", "venv", "--without-pip", venv).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(venvPython(venv), "-c", "print(1)").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The ports of a kernel are open before what takes long to initialise, package net for one.
func TestPortsOpenFirst(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	at := func(name string) int { return bytes.Index(out, []byte("init "+name+" @")) }
	ours := at("github.com/arrayrepl/arrayrepl/cmd/arrayrepl/early")
	if ours < 0 {
		t.Fatalf("not initialised:\n%s", out)
	}
	for _, late := range []string{"net", "github.com/arrayrepl/arrayrepl/arrays", "github.com/goplus/ixgo", "github.com/yuin/goldmark/parser"} {
		if at(late) < ours {
			t.Errorf("%s is initialised before the ports are open", late)
		}
	}
}
