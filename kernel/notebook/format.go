package notebook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/budget"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Notebook is the content of an .ipynb file. JSON objects keep all their fields; numbers in them are json.Number.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any
	fields   map[string]any // the whole file, but for cells and metadata
}

// Cell is one cell. Source is one string; Outputs are objects as the format has them, with multi-line text joined.
type Cell struct {
	Type     string // "code", "markdown" or "raw"
	ID       string
	Source   string
	Metadata map[string]any
	Count    int              // In[Count] of a code cell; 0 when it has not run
	Outputs  []map[string]any // of a code cell
	fields   map[string]any   // the whole cell, but for the above
}

// HasTag reports whether the cell's metadata lists the tag.
func (c *Cell) HasTag(tag string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
}

// Parse reads the JSON text of a notebook of nbformat 4, as strictly as Jupyter does.
func Parse(data []byte) (*Notebook, error) {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return nil, errors.New("it begins with a byte order mark, with which Jupyter does not open it either: save it as UTF-8 without one")
	}
	if !utf8.Valid(data) {
		return nil, errors.New("it is not a notebook: it is not UTF-8 text")
	}
	if err := budget.JSON("the notebook", data, nil); err != nil {
		return nil, err
	}
	var top map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&top); err != nil {
		return nil, fmt.Errorf("it is not a notebook: %s", brief.Reason(err))
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("it is not a notebook: there is more text after its end, at byte %d", dec.InputOffset())
	}
	if err := checkVersion(top); err != nil {
		return nil, err
	}
	cells, ok := top["cells"].([]any)
	if !ok {
		return nil, fmt.Errorf("it has no list of cells")
	}
	nb := &Notebook{Metadata: object(top["metadata"]), fields: top}
	for i, raw := range cells {
		c, err := parseCell(raw)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb, nil
}

// checkVersion checks the numbers of the format. Jupyter takes no texts and no fractions for them.
func checkVersion(top map[string]any) error {
	if top["nbformat"] == nil {
		return errors.New("it has no nbformat; version 4 is read")
	}
	if major, ok := top["nbformat"].(json.Number); !ok || major != "4" {
		if !ok && top["nbformat"] == "4" {
			return errors.New(`its nbformat is the text "4" and not the number 4; Jupyter does not open it either`)
		}
		return fmt.Errorf("its nbformat is %.40v; version 4 is read (jupyter nbconvert --to notebook --nbformat 4 converts it)", top["nbformat"])
	}
	if minor := top["nbformat_minor"]; minor != nil {
		number, _ := minor.(json.Number)
		if _, err := number.Int64(); err != nil {
			return fmt.Errorf("its nbformat_minor is %.40v and not a whole number; Jupyter does not open it either", minor)
		}
	}
	return nil
}

func parseCell(raw any) (*Cell, error) {
	f, ok := raw.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("it is not an object")
	}
	c := &Cell{Metadata: object(f["metadata"]), fields: f}
	c.Type, _ = f["cell_type"].(string)
	c.ID, _ = f["id"].(string)
	if c.Source, ok = joined(f["source"]).(string); !ok {
		return nil, fmt.Errorf("its source is not text")
	}
	if c.Type != "code" {
		return c, nil
	}
	if n, ok := f["execution_count"].(json.Number); ok {
		count, _ := n.Int64()
		c.Count = int(count)
	}
	outputs, _ := f["outputs"].([]any)
	for _, o := range outputs {
		c.Outputs = append(c.Outputs, joinOutput(object(o)))
	}
	return c, nil
}

// JSON is the text of the notebook as Jupyter saves it: nbformat 4.5, sorted keys, one space of indentation, text with
// several lines as a list.
func (nb *Notebook) JSON() ([]byte, error) {
	top := map[string]any{}
	for k, v := range nb.fields {
		top[k] = v
	}
	top["nbformat"] = 4
	minor, _ := top["nbformat_minor"].(json.Number)
	if n, err := minor.Int64(); err != nil || n < 5 {
		top["nbformat_minor"] = 5
	}
	top["metadata"] = orEmpty(nb.Metadata)
	taken := map[string]bool{}
	for _, c := range nb.Cells {
		taken[c.ID] = true
	}
	cells := []any{}
	for i, c := range nb.Cells {
		if c.ID == "" {
			c.ID = newID(i, c.Source, taken)
		}
		cells = append(cells, c.object())
	}
	top["cells"] = cells
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(top); err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	return b.Bytes(), nil
}

func (c *Cell) object() map[string]any {
	f := map[string]any{}
	for k, v := range c.fields {
		f[k] = v
	}
	f["cell_type"], f["id"], f["source"], f["metadata"] = c.Type, c.ID, lines(c.Source), orEmpty(c.Metadata)
	if c.Type == "code" {
		f["execution_count"] = nil
		if c.Count > 0 {
			f["execution_count"] = c.Count
		}
		outputs := []any{}
		for _, o := range c.Outputs {
			outputs = append(outputs, splitOutput(o))
		}
		f["outputs"] = outputs
	}
	return f
}

// newID makes an id of the cell's place and text, so that converting a file twice gives one result.
func newID(i int, source string, taken map[string]bool) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", i, n, source))
		if id := hex.EncodeToString(sum[:4]); !taken[id] {
			taken[id] = true
			return id
		}
	}
}

// isText tells the MIME types whose data is stored as a list of lines.
func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "image/svg+xml" || mime == "application/javascript"
}

// joinOutput makes one string of each text of an output; splitOutput lists of lines again.
func joinOutput(o map[string]any) map[string]any { return mapTexts(o, joined) }

func splitOutput(o map[string]any) map[string]any {
	return mapTexts(o, func(v any) any {
		if s, ok := v.(string); ok {
			return lines(s)
		}
		return v
	})
}

func mapTexts(o map[string]any, f func(any) any) map[string]any {
	out := map[string]any{}
	for k, v := range o {
		out[k] = v
	}
	if out["output_type"] == "stream" {
		out["text"] = f(out["text"])
	}
	if data, ok := out["data"].(map[string]any); ok {
		mapped := map[string]any{}
		for mime, v := range data {
			if isText(mime) {
				v = f(v)
			}
			mapped[mime] = v
		}
		out["data"] = mapped
	}
	return out
}

// joined makes one string of a list of strings, and leaves other values as they are.
func joined(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	var b strings.Builder
	for _, part := range list {
		s, ok := part.(string)
		if !ok {
			return v
		}
		b.WriteString(s)
	}
	return b.String()
}

// lines splits s after each line end.
func lines(s string) []string {
	parts := strings.SplitAfter(s, "\n")
	if n := len(parts); parts[n-1] == "" { // s is empty or ends in a line end
		parts = parts[:n-1]
	}
	return parts
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return orEmpty(m)
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
