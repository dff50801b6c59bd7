package main

import (
	"os"
	"path/filepath"
)

// venvPython is the Python of a virtual environment.
func venvPython(venv string) string { return filepath.Join(venv, "Scripts", "python.exe") }

// askToEnd ends a program: one without a window cannot be asked.
func askToEnd(p *os.Process) error { return p.Kill() }

// addToPath is the command that lets the shell find what is in dir.
func addToPath(dir string) string { return `setx PATH "%PATH%;` + dir + `"` }

// firstInPath is the command that makes the shell find what is in dir before all else.
func firstInPath(dir string) string { return `setx PATH "` + dir + `;%PATH%"` }

// getPython says how to get a Python with venv.
const getPython = "winget install Python.Python.3.13, or python.org"
