package main

import (
	"os"
	"path/filepath"
)

// venvPython is the Python of a virtual environment.
func venvPython(venv string) string { return filepath.Join(venv, "Scripts", "python.exe") }

// askToEnd ends a program: one without a window cannot be asked.
func askToEnd(p *os.Process) error { return p.Kill() }
