package main

import (
	"os"
	"path/filepath"
)

// What arrayrepl keeps for a user lies in two directories, which updates leave alone: what it remembers in the one of
// settings, and what it can make again in the one of caches. docs/install.md describes both.

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
	if path, err := cachePath("bin"); err == nil {
		places = append(places, statePlace{"kernel of go run", path})
	}
	return places
}
