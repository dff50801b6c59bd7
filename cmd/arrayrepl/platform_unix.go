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

// addToPath is the command that lets the shell find what is in dir.
func addToPath(dir string) string { return `export PATH="$PATH:` + dir + `"` }

// firstInPath is the command that makes the shell find what is in dir before all else.
func firstInPath(dir string) string { return `export PATH="` + dir + `:$PATH"` }

// getPython says how to get a Python with venv.
const getPython = "sudo apt install python3 python3-venv, brew install python, or python.org"
