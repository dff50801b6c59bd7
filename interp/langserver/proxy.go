package langserver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// maxMessage bounds a message: a notebook of a million lines is not what an editor sends.
const maxMessage = 64 << 20

// answers are what gopls is asked about cells, by the names of the capabilities. What is left out means nothing for
// cells, as formatting a file that nobody sees, or cannot be mapped.
var answers = []string{
	"completionProvider", "hoverProvider", "signatureHelpProvider", "definitionProvider", "typeDefinitionProvider",
	"implementationProvider", "referencesProvider", "documentHighlightProvider", "documentSymbolProvider", "renameProvider",
}

// Proxy stands between an editor and gopls.
type Proxy struct {
	// Dir is a directory of a module of its own, in which each notebook gets a package.
	Dir string
	// Names is what cells may use without declaring it.
	Names Names

	mu      sync.Mutex
	open    map[string]*notebook // by the editor's address
	files   map[string]*notebook // by gopls' address
	pending map[string]request   // what the editor has asked, by the id as JSON
}

type notebook struct {
	uri, file string
	doc       *Document
	text      string
}

type request struct {
	method string
	about  *notebook
}

// messageInfo is the type of messages that ask for nothing; lower ones are errors and warnings.
const messageInfo = 3

type message = map[string]any

// Serve passes messages on until the editor's end or gopls' is closed.
func (p *Proxy) Serve(editorIn io.Reader, editorOut io.Writer, goplsIn io.Writer, goplsOut io.Reader) error {
	p.open, p.files, p.pending = map[string]*notebook{}, map[string]*notebook{}, map[string]request{}
	ends := make(chan error, 2)
	go func() { ends <- pass(editorIn, goplsIn, p.toGopls) }()
	go func() { ends <- pass(goplsOut, editorOut, p.toEditor) }()
	return <-ends
}

// pass reads messages, and writes what rewrite makes of them; nil is not passed on.
func pass(from io.Reader, to io.Writer, rewrite func(message) (message, error)) error {
	r := bufio.NewReader(from)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the header of a message: %w", err)
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil || n < 0 || n > maxMessage {
			return fmt.Errorf("a message says that it has %q bytes: 0 to %d are possible", header.Get("Content-Length"), maxMessage)
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return fmt.Errorf("a message of %d bytes ends early: %w", n, err)
		}
		d := json.NewDecoder(strings.NewReader(string(body)))
		d.UseNumber()
		var m message
		if err := d.Decode(&m); err != nil {
			return fmt.Errorf("a message is not valid JSON: %w", err)
		}
		if m, err = rewrite(m); err != nil {
			return err
		}
		if m == nil {
			continue
		}
		if body, err = json.Marshal(m); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(to, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			return err
		}
	}
}

// toGopls rewrites a message of the editor.
func (p *Proxy) toGopls(m message) (message, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	method, _ := m["method"].(string)
	params, _ := m["params"].(message)
	document, _ := params["textDocument"].(message)
	uri, _ := document["uri"].(string)
	nb := p.open[uri]
	switch method {
	case "initialize":
		params["rootUri"], params["rootPath"] = fileURI(p.Dir), p.Dir
		params["workspaceFolders"] = []any{message{"uri": fileURI(p.Dir), "name": "cells"}}
		options, _ := params["initializationOptions"].(message)
		if options == nil {
			options = message{}
		}
		options["linkTarget"] = "" // its addresses on the web are wrong for sources of this machine
		params["initializationOptions"] = options
	case "workspace/didChangeWorkspaceFolders", "textDocument/didSave":
		return nil, nil // of directories and files that gopls does not see
	case "textDocument/didOpen":
		nb, err := p.opened(uri)
		if err != nil {
			return nil, err
		}
		nb.text, _ = document["text"].(string)
		nb.doc = NewDocument(nb.text, p.Names)
		document["uri"], document["languageId"], document["text"] = nb.file, "go", nb.doc.File()
		return m, nil
	case "textDocument/didChange":
		if nb == nil {
			return nil, nil
		}
		changes, _ := params["contentChanges"].([]any)
		for _, c := range changes {
			nb.change(c)
		}
		nb.doc = NewDocument(nb.text, p.Names)
		document["uri"] = nb.file
		params["contentChanges"] = []any{message{"text": nb.doc.File()}}
		return m, nil
	case "textDocument/didClose":
		if nb != nil {
			delete(p.open, nb.uri)
			delete(p.files, nb.file)
		}
	}
	if id, ok := m["id"]; ok && method != "" {
		p.pending[idText(id)] = request{method, nb}
	}
	if nb != nil && params != nil {
		m["params"] = p.mapped(params, nb, toFile)
	}
	return m, nil
}

// toEditor rewrites a message of gopls.
func (p *Proxy) toEditor(m message) (message, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	method, _ := m["method"].(string)
	if method == "textDocument/publishDiagnostics" {
		params, _ := m["params"].(message)
		uri, _ := params["uri"].(string)
		if nb := p.files[uri]; nb == nil {
			return nil, nil
		}
		params["diagnostics"] = []any{}
	}
	if params, _ := m["params"].(message); method == "window/showMessage" && number(params["type"]) >= messageInfo {
		m["method"] = "window/logMessage" // JupyterLab opens a dialog for each
	}
	if params, ok := m["params"]; ok {
		m["params"] = p.mapped(params, nil, toCells)
	}
	if method != "" {
		return m, nil
	}
	asked := p.pending[idText(m["id"])]
	delete(p.pending, idText(m["id"]))
	result, ok := m["result"]
	if !ok {
		return m, nil
	}
	if asked.method == "initialize" {
		limit(result)
		return m, nil
	}
	if m["result"] = p.mapped(result, asked.about, toCells); m["result"] == (any)(added{}) {
		m["result"] = nil
	}
	if asked.method == "textDocument/completion" {
		once(m["result"])
	}
	return m, nil
}

// limit leaves of gopls' capabilities those that are answered here.
func limit(result any) {
	r, _ := result.(message)
	all, _ := r["capabilities"].(message)
	some := message{"textDocumentSync": message{"openClose": true, "change": 1}}
	for _, name := range answers {
		if v, ok := all[name]; ok {
			some[name] = v
		}
	}
	if r != nil {
		r["capabilities"] = some
	}
}

// once leaves one completion of those that differ only in which declaration of a name they are.
func once(result any) {
	list, _ := result.(message)
	items, _ := list["items"].([]any)
	seen := map[any]bool{}
	kept := []any{}
	for _, it := range items {
		item, _ := it.(message)
		if label := item["label"]; !seen[label] {
			seen[label] = true
			kept = append(kept, it)
		}
	}
	if items != nil {
		list["items"] = kept
	}
}

// opened gives a notebook a package.
func (p *Proxy) opened(uri string) (*notebook, error) {
	if nb := p.open[uri]; nb != nil {
		return nb, nil
	}
	dir, err := os.MkdirTemp(p.Dir, "cells")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "cells.go")
	if err := os.WriteFile(name, []byte("package main\n"), 0o600); err != nil {
		return nil, err
	}
	nb := &notebook{uri: uri, file: fileURI(name)}
	p.open[uri], p.files[nb.file] = nb, nb
	return nb, nil
}

// change applies a change of the text, of all of it or of a range.
func (nb *notebook) change(c any) {
	change, _ := c.(message)
	text, _ := change["text"].(string)
	if r, ok := change["range"].(message); ok {
		l := linesOf(nb.text)
		from, to := l.offset(place(r["start"])), l.offset(place(r["end"]))
		text = nb.text[:from] + text + nb.text[max(from, to):]
	}
	nb.text = text
}

// place is a position of a message.
func place(v any) (line, column int) {
	m, _ := v.(message)
	return number(m["line"]), number(m["character"])
}

func number(v any) int {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return int(min(max(i, 0), 1<<30))
}

func idText(id any) string {
	b, _ := json.Marshal(id)
	return string(b)
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows
	}
	return "file://" + path
}
