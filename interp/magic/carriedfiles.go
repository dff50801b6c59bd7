package magic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// data makes the notebook carry a file: whole when it is small, else by its checksum. A file that is not here is
// written from what the notebook carries, or fetched. One that is here is never written over.
func data(c *Call) (display.Bundle, error) {
	path, url := dataArguments(c.Arg)
	if !filepath.IsLocal(path) {
		return display.Bundle{}, fmt.Errorf("%s must lie beside the notebook or below, so that it has a place wherever the notebook is opened: copy it there", path)
	}
	path = filepath.Clean(path)
	name := filepath.ToSlash(path)
	known, expected := c.carries().Data[name]
	if url == "" {
		url = known.URL
	}
	note := ""
	content, err := budget.ReadFile(path, "the file", 0)
	switch {
	case err == nil && expected && known.Check(content) != nil:
		note = "; it is not the one that the notebook carried before"
	case errors.Is(err, fs.ErrNotExist):
		if content, note, err = c.restore(name, url, known, expected); err == nil {
			err = writeNew(path, content)
		}
	}
	if err != nil {
		return display.Bundle{}, err
	}
	file, err := carried.NewFile(content)
	if err != nil {
		return display.Bundle{}, err
	}
	file.URL = url
	where := "the notebook carries it"
	if file.Gzip == nil {
		where = fmt.Sprintf("larger than %s compressed, so the notebook names it and does not carry it", bytesText(carried.Limit))
	}
	text := fmt.Sprintf("%s: %s, SHA-256 %s; %s%s", name, bytesText(file.Size), carried.Short(file.SHA256), where, note)
	return display.Bundle{}, c.carry(carried.Set{Data: map[string]carried.File{name: file}}, text)
}

// dataArguments are a path, in quotes if it has blanks, and an address.
func dataArguments(arg string) (path, url string) {
	if q := arg[0]; q == '"' || q == '\'' {
		if end := strings.IndexByte(arg[1:], q); end >= 0 {
			return arg[1 : end+1], strings.TrimSpace(arg[end+2:])
		}
	}
	path, url, _ = strings.Cut(arg, " ")
	return path, strings.TrimSpace(url)
}

// restore makes the content of a file that is not here, and says from where.
func (c *Call) restore(name, url string, known carried.File, expected bool) (content []byte, note string, err error) {
	switch {
	case known.Gzip != nil:
		note = "; written from there"
		content, err = known.Content()
	case url != "":
		note = "; fetched from " + url
		content, err = download(c.ctx, url)
		if err == nil && expected {
			err = known.Check(content)
		}
	case expected:
		err = fmt.Errorf("it is not here and the notebook does not carry it: it has %s and the SHA-256 %s (ask whoever sent the notebook, or give its address: %%data %s https://…)",
			bytesText(known.Size), known.SHA256, name)
	default:
		err = errors.New("there is no such file, and the notebook carries none of this name")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return content, note, err
}

// downloadLimit ends a download that does not.
const downloadLimit = 4 << 30

func download(ctx context.Context, url string) ([]byte, error) {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return nil, fmt.Errorf("%q is not a web address: one begins with https://", url)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", url, resp.Status)
	}
	content, err := budget.ReadAll(io.LimitReader(resp.Body, downloadLimit+1), url, max(min(resp.ContentLength, downloadLimit), 0))
	if len(content) > downloadLimit {
		return nil, fmt.Errorf("%s is larger than %s", url, bytesText(downloadLimit))
	}
	return content, err
}

// writeNew writes a file that is not there yet, whole or not at all, and the directories that it lies in. Links that
// lead out of the current directory are not followed.
func writeNew(path string, content []byte) error {
	root, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("%s cannot be written beside the notebook: %w", path, err)
	}
	f, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("%s cannot be written beside the notebook: %w", path, err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		root.Remove(path)
	}
	return err
}
