package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// What arrayrepl keeps for a user lies in directories that updates leave alone: what it remembers in the one of
// settings, a program that others start in the one of data, and what it can make again in the one of caches.
// docs/install.md describes them.

// stateFile returns the path of a file in the user's directory for what arrayrepl remembers, "" when there is none.
// Where the directory cannot be made, who opens the file says so.
func stateFile(name string) string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "arrayrepl")
	os.MkdirAll(dir, 0o755)
	return filepath.Join(dir, name)
}

// dataPath is a directory among the user's data, which nobody empties: XDG's on Linux, elsewhere that of what
// arrayrepl remembers or, on Windows, of what belongs to this machine.
func dataPath(name string) (string, error) {
	dir, err := os.UserConfigDir()
	switch runtime.GOOS {
	case "windows":
		dir, err = os.UserCacheDir() // %LocalAppData%, which is not a cache
	case "darwin":
	default:
		if dir = os.Getenv("XDG_DATA_HOME"); dir == "" || !filepath.IsAbs(dir) {
			var home string
			home, err = os.UserHomeDir()
			dir = filepath.Join(home, ".local", "share")
		}
	}
	return filepath.Join(dir, "arrayrepl", name), err
}

// builtByGoRun reports whether a program is what go run has built: it is gone after a while.
func builtByGoRun(program string) bool { return strings.Contains(program, "go-build") }

// calledAs is how the user can start this program again.
func calledAs() string {
	self, err := os.Executable()
	if err != nil {
		return "arrayrepl"
	}
	if builtByGoRun(self) {
		if isShipped(shippedNotebooks) { // in the clone's own directory
			return "go run ./cmd/arrayrepl"
		}
		return "go run " + module + "/cmd/arrayrepl"
	}
	if found, err := exec.LookPath("arrayrepl"); err == nil && sameFile(found, self) {
		return "arrayrepl"
	}
	return quoted(self)
}

// asCommand is a command line of this program as a message names it: by its name, or for users of go run, who have no
// such program, as they can start it.
func asCommand(line string) string {
	if self, err := os.Executable(); err == nil && builtByGoRun(self) {
		return calledBy(calledAs(), line)
	}
	return line
}

func calledBy(program, line string) string {
	if args, ours := strings.CutPrefix(line, "arrayrepl "); ours {
		return program + " " + args
	}
	return line
}

// cachePath is a path in the user's directory for what can be made again.
func cachePath(names ...string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{dir, "arrayrepl"}, names...)...), nil
}

// statePlace is a place where arrayrepl keeps something.
type statePlace struct{ Name, Path string }

// statePlaces lists them all.
func statePlaces() []statePlace {
	places := []statePlace{{"history", stateFile("history")}, {"notebooks' history", stateFile("kernel-history")}, {"signatures of own notebooks", stateFile("trusted")}}
	if path, err := cachePath("jupyter"); err == nil {
		places = append(places, statePlace{"own JupyterLab", path})
	}
	if path, err := dataPath("bin"); err == nil {
		places = append(places, statePlace{"kernel of go run", path})
	}
	return places
}
