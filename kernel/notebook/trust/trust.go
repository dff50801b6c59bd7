// Package trust tells notebooks of the user's own from those of strangers, as Jupyter does: by signatures of their
// content.
//
// A notebook is known when Jupyter has signed it (its user saved it after running its cells, or said jupyter trust), or
// when arrayrepl itself wrote it. Jupyter's signature is an HMAC with a secret of the user's, kept in a database of
// SQLite; the signatures there are found as the texts that they are, so that no database is needed to read them.
// Arrayrepl keeps a list of its own, which it alone can write without that database.
//
// The package knows the format of notebooks and nothing of pages.
package trust

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// Store is where signatures are. A field that is "" means none.
type Store struct {
	Own     string // the file of arrayrepl's list
	Jupyter string // Jupyter's data directory
}

// maxOwn is how many signatures arrayrepl keeps; the oldest are dropped.
const maxOwn = 20_000

// Knows reports whether the notebook with this JSON text is the user's own.
func (s Store) Knows(data []byte) bool {
	nb, err := content(data)
	if err != nil {
		return false
	}
	return s.own(nb) || s.jupyters(nb)
}

// Remember makes a notebook with this JSON text known.
func (s Store) Remember(data []byte) error {
	nb, err := content(data)
	if err != nil || s.Own == "" {
		return err
	}
	sum := digest(sha256.New(), nb)
	known := s.list()
	if slices.Contains(known, sum) {
		return nil
	}
	known = append(known, sum)
	known = known[max(0, len(known)-maxOwn):]
	return replace.Bytes(s.Own, []byte(strings.Join(known, "\n")+"\n"))
}

func (s Store) own(nb any) bool { return slices.Contains(s.list(), digest(sha256.New(), nb)) }

func (s Store) list() []string {
	if s.Own == "" {
		return nil
	}
	data, err := budget.ReadFile(s.Own, "the list of known notebooks", budget.SourceFile)
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

// jupyters reports whether Jupyter has signed a notebook.
func (s Store) jupyters(nb any) bool {
	if s.Jupyter == "" {
		return false
	}
	secret, err := budget.ReadFile(filepath.Join(s.Jupyter, "notebook_secret"), "Jupyter's secret", budget.SmallFile)
	if err != nil || len(secret) == 0 {
		return false
	}
	want := []byte(digest(hmac.New(sha256.New, secret), nb))
	for _, name := range []string{"nbsignatures.db", "nbsignatures.db-wal"} {
		if found, err := contains(filepath.Join(s.Jupyter, name), want); err == nil && found {
			return true
		}
	}
	return false
}

// contains reports whether a file has want in it.
func contains(path string, want []byte) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	var window []byte
	for {
		chunk := make([]byte, 64<<10)
		n, err := r.Read(chunk)
		window = append(window, chunk[:n]...)
		if bytes.Contains(window, want) {
			return true, nil
		}
		window = window[max(0, len(window)-len(want)):]
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, err
		}
	}
}

// content is a notebook as Jupyter has it in memory: texts in one piece, without what is not signed.
func content(data []byte) (any, error) {
	if err := budget.JSON("the notebook", data, nil); err != nil {
		return nil, err
	}
	var nb map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&nb); err != nil {
		return nil, fmt.Errorf("it is not a notebook: %w", err)
	}
	if meta, ok := nb["metadata"].(map[string]any); ok {
		for _, key := range []string{"orig_nbformat", "orig_nbformat_minor", "signature"} {
			delete(meta, key)
		}
	}
	cells, _ := nb["cells"].([]any)
	for _, c := range cells {
		cell, ok := c.(map[string]any)
		if !ok {
			return nil, errors.New("one of its cells is not an object")
		}
		join(cell, "source")
		if meta, ok := cell["metadata"].(map[string]any); ok {
			delete(meta, "trusted")
		}
		attachments, _ := cell["attachments"].(map[string]any)
		for _, bundle := range attachments {
			joinBundle(bundle)
		}
		outputs, _ := cell["outputs"].([]any)
		for _, o := range outputs {
			if out, ok := o.(map[string]any); ok && cell["cell_type"] == "code" {
				if out["output_type"] == "execute_result" || out["output_type"] == "display_data" {
					joinBundle(out["data"])
				} else {
					join(out, "text")
				}
			}
		}
	}
	return nb, nil
}

func joinBundle(v any) {
	bundle, _ := v.(map[string]any)
	for mime := range bundle {
		if mime != "application/json" && (!strings.HasPrefix(mime, "application/") || !strings.HasSuffix(mime, "+json")) {
			join(bundle, mime)
		}
	}
}

// join makes one text of a list of them.
func join(m map[string]any, key string) {
	list, ok := m[key].([]any)
	if !ok {
		return
	}
	var b strings.Builder
	for _, part := range list {
		s, ok := part.(string)
		if !ok {
			return
		}
		b.WriteString(s)
	}
	m[key] = b.String()
}

// digest writes all keys and values, as nbformat does, and returns the sum.
func digest(h hash.Hash, v any) string {
	add(h, v)
	return hex.EncodeToString(h.Sum(nil))
}

func add(h hash.Hash, v any) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			io.WriteString(h, k)
			add(h, v[k])
		}
	case []any:
		for _, e := range v {
			add(h, e)
		}
	case string:
		io.WriteString(h, v)
	case json.Number:
		io.WriteString(h, pythonNumber(v.String()))
	case bool:
		io.WriteString(h, map[bool]string{true: "True", false: "False"}[v])
	case nil:
		io.WriteString(h, "None")
	}
}

// pythonNumber is a number of JSON as Python writes what it reads of it.
func pythonNumber(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0"
		}
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // too large
		return map[bool]string{true: "-inf", false: "inf"}[f < 0]
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	_, exp, _ := strings.Cut(text, "e")
	if n, _ := strconv.Atoi(exp); n >= -4 && n < 16 {
		text = strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
	}
	return text
}
