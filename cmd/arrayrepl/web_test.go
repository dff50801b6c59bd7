package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSaveFromWeb(t *testing.T) {
	text := `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Write([]byte("<html>"))
		case "/none.ipynb":
			http.NotFound(w, r)
		default:
			w.Write([]byte(text))
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	for _, want := range []string{"a.ipynb", "a.ipynb"} { // the same again is not a second file
		if at, err := saveFromWeb(t.Context(), server.URL+"/x/a.ipynb?raw=1", dir); err != nil || at != filepath.Join(dir, want) {
			t.Errorf("%s, %v", at, err)
		}
	}
	text = strings.Replace(text, "5", "4", 1)
	if at, err := saveFromWeb(t.Context(), server.URL+"/x/a.ipynb", dir); err != nil || at != filepath.Join(dir, "a-1.ipynb") {
		t.Errorf("another notebook of the same name: %s, %v", at, err)
	}
	for _, bad := range []string{"/page", "/none.ipynb"} {
		if at, err := saveFromWeb(t.Context(), server.URL+bad, dir); err == nil {
			t.Errorf("%s is saved as %s", bad, at)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left %v", left)
	}
}

func TestRawAddress(t *testing.T) {
	for page, want := range map[string]string{
		"https://github.com/a/b/blob/main/dir/n.ipynb":               "https://raw.githubusercontent.com/a/b/main/dir/n.ipynb",
		"https://nbviewer.org/github/a/b/blob/main/n.ipynb":          "https://raw.githubusercontent.com/a/b/main/n.ipynb",
		"https://gitlab.com/g/p/-/blob/main/n.ipynb":                 "https://gitlab.com/g/p/-/raw/main/n.ipynb",
		"https://raw.githubusercontent.com/a/b/main/with%20it.ipynb": "https://raw.githubusercontent.com/a/b/main/with%20it.ipynb",
		"https://example.com/n.ipynb":                                "https://example.com/n.ipynb",
	} {
		u, err := url.Parse(page)
		require.NoError(t, err)
		if rawAddress(u); u.String() != want {
			t.Errorf("%s is %s, want %s", page, u, want)
		}
	}
}
