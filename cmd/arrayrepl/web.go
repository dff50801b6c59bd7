package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// isAddress reports whether an argument names something on the web.
func isAddress(arg string) bool {
	return strings.HasPrefix(arg, "https://") || strings.HasPrefix(arg, "http://")
}

// maxWebNotebook is the size of the largest notebook that is fetched.
const maxWebNotebook = 200 << 20

// saveFromWeb fetches a notebook and writes it into dir, under a name that no other file has. Nothing of it runs.
func saveFromWeb(ctx context.Context, address, dir string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	rawAddress(u)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", fmt.Errorf("the notebook could not be fetched: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the notebook could not be fetched: %s answers %s", u, resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxWebNotebook+1))
	if err != nil {
		return "", fmt.Errorf("the notebook could not be fetched: %w", err)
	}
	if len(data) > maxWebNotebook {
		return "", fmt.Errorf("%s is larger than %d MB", u, maxWebNotebook>>20)
	}
	if _, err := notebook.Parse(data); err != nil {
		return "", fmt.Errorf("%s: %w", u, err)
	}
	name := path.Base(u.Path)
	if name == "." || name == "/" || strings.ContainsAny(name, `\:`) {
		name = "notebook.ipynb"
	}
	name = strings.TrimSuffix(name, ".ipynb")
	for n := 0; ; n++ {
		to := filepath.Join(dir, name+".ipynb")
		if n > 0 {
			to = filepath.Join(dir, fmt.Sprintf("%s-%d.ipynb", name, n))
		}
		if have, err := budget.ReadFile(to, "the notebook", maxWebNotebook); err == nil && bytes.Equal(have, data) {
			return to, nil // fetched before
		}
		f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if closed := f.Close(); err == nil {
			err = closed
		}
		return to, err
	}
}

// rawAddress makes the address of a page that shows a file, as people copy it from their browser, one of the file.
func rawAddress(u *url.URL) {
	parts := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	switch {
	case u.Host == "github.com" && len(parts) > 4 && parts[2] == "blob":
		u.Host, u.Path = "raw.githubusercontent.com", "/"+strings.Join(append(parts[:2:2], parts[3:]...), "/")
	case u.Host == "nbviewer.org" && len(parts) > 5 && parts[0] == "github" && parts[3] == "blob":
		u.Host, u.Path = "raw.githubusercontent.com", "/"+strings.Join(append(parts[1:3:3], parts[4:]...), "/")
	case strings.Contains(u.Path, "/-/blob/"): // GitLab
		u.Path = strings.Replace(u.Path, "/-/blob/", "/-/raw/", 1)
	}
	u.RawPath = ""
}
