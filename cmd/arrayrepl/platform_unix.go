//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// venvPython is the Python of a virtual environment.
func venvPython(venv string) string { return filepath.Join(venv, "bin", "python") }

// askToEnd asks a program to end in good order.
func askToEnd(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
