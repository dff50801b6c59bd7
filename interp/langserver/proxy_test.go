package langserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ends are an editor's and a language server's ends of a proxy.
type ends struct {
	t                  *testing.T
	editorOut, goplsIn *bufio.Reader // what the editor and gopls read
	toProxy, fromGopls io.WriteCloser
	served             chan error
}

func connected(t *testing.T) *ends {
	in, toProxy := io.Pipe()
	editorOut, out := io.Pipe()
	goplsIn, toGopls := io.Pipe()
	goplsOut, fromGopls := io.Pipe()
	e := &ends{t, bufio.NewReader(editorOut), bufio.NewReader(goplsIn), toProxy, fromGopls, make(chan error, 1)}
	p := Proxy{Dir: t.TempDir(), Names: Names{Imports: known}}
	go func() { e.served <- p.Serve(in, out, toGopls, goplsOut) }()
	t.Cleanup(func() { toProxy.Close(); fromGopls.Close() })
	return e
}

func send(t *testing.T, to io.Writer, text string) {
	_, err := fmt.Fprintf(to, "Content-Length: %d\r\n\r\n%s", len(text), text)
	require.NoError(t, err)
}

func receive(t *testing.T, from *bufio.Reader) message {
	header, err := textproto.NewReader(from).ReadMIMEHeader()
	require.NoError(t, err)
	n, err := strconv.Atoi(header.Get("Content-Length"))
	require.NoError(t, err)
	body := make([]byte, n)
	_, err = io.ReadFull(from, body)
	require.NoError(t, err)
	var m message
	require.NoError(t, json.Unmarshal(body, &m))
	return m
}

const notebookURI = "file:///home/someone/.virtual_documents/a.ipynb"

// opened sends a notebook and returns the address that gopls has for it.
func (e *ends) opened(cells string) string {
	text, _ := json.Marshal(cells)
	send(e.t, e.toProxy, `{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"`+notebookURI+`","languageId":"go","version":1,"text":`+string(text)+`}}}`)
	document := receive(e.t, e.goplsIn)["params"].(message)["textDocument"].(message)
	assert.Equal(e.t, NewDocument(cells, Names{Imports: known}).File(), document["text"])
	return document["uri"].(string)
}

// asked sends a question about the notebook, has gopls answer by result, and returns what gopls was asked and what the
// editor gets. FILE in result is gopls' address of the notebook.
func (e *ends) asked(file, method, params, result string) (question, answer message) {
	send(e.t, e.toProxy, `{"id":7,"method":"`+method+`","params":{"textDocument":{"uri":"`+notebookURI+`"}`+params+`}}`)
	question = receive(e.t, e.goplsIn)
	send(e.t, e.fromGopls, `{"id":7,"result":`+strings.ReplaceAll(result, "FILE", file)+`}`)
	return question["params"].(message), receive(e.t, e.editorOut)
}

func TestPositionsAreMappedBothWays(t *testing.T) {
	e := connected(t)
	file := e.opened("é := \"🙂\"; x := 1\n\n\nx := 2\nx") // line 4 of the file: " var xˑ1 = 1"
	question, answer := e.asked(file, "textDocument/hover", `,"position":{"line":0,"character":11}`,
		`{"contents":"var xˑ1 int","range":{"start":{"line":4,"character":5},"end":{"line":4,"character":8}}}`)
	assert.Equal(t, file, question["textDocument"].(message)["uri"])
	lines := strings.Split(NewDocument("é := \"🙂\"; x := 1\n\n\nx := 2\nx", Names{Imports: known}).File(), "\n")
	at := question["position"].(message)
	assert.Equal(t, "xˑ1 = 1", lines[int(at["line"].(float64))][int(at["character"].(float64)):], lines)
	result := answer["result"].(message)
	assert.Equal(t, message{"contents": "var x int", "range": span(0, 11, 0, 12)}, result)
}

func TestPlacesOutsideOfCellsAreLeftOut(t *testing.T) {
	e := connected(t)
	file := e.opened("fmt.Println(1)") // file: 0 package, 2 import, 3 func _() {fmt.Println(1)
	_, answer := e.asked(file, "textDocument/references", `,"position":{"line":0,"character":1}`,
		`[{"uri":"FILE","range":{"start":{"line":2,"character":7},"end":{"line":2,"character":10}}},
		  {"uri":"FILE","range":{"start":{"line":3,"character":10},"end":{"line":3,"character":13}}},
		  {"uri":"file:///go/src/fmt/print.go","range":{"start":{"line":9,"character":1},"end":{"line":9,"character":2}}}]`)
	assert.Equal(t, []any{
		message{"uri": notebookURI, "range": span(0, 0, 0, 3)},
		message{"uri": "file:///go/src/fmt/print.go", "range": span(9, 1, 9, 2)},
	}, answer["result"])
}

func span(l1, c1, l2, c2 float64) message {
	return message{"start": message{"line": l1, "character": c1}, "end": message{"line": l2, "character": c2}}
}

func TestEditsOfARename(t *testing.T) {
	e := connected(t)
	file := e.opened("x := 1\n\n\nx := 2") // file: 2 var xˑ1 = 1
	for _, result := range []string{
		`{"changes":{"FILE":[{"newText":"y","range":{"start":{"line":2,"character":4},"end":{"line":2,"character":7}}},{"newText":"y","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}]}}`,
		`{"documentChanges":[{"textDocument":{"uri":"FILE","version":1},"edits":[{"newText":"y","range":{"start":{"line":2,"character":4},"end":{"line":2,"character":7}}}]}]}`,
	} {
		_, answer := e.asked(file, "textDocument/rename", `,"position":{"line":0,"character":0},"newName":"y"`, result)
		text, err := json.Marshal(answer["result"])
		require.NoError(t, err)
		assert.Contains(t, string(text), notebookURI)
		assert.NotContains(t, string(text), file)
		assert.Equal(t, 1, strings.Count(string(text), `"newText":"y"`), "what is not the cells' own is not edited: %s", text)
		assert.Contains(t, string(text), `{"end":{"character":1,"line":0},"start":{"character":0,"line":0}}`)
	}
}

func TestWhatIsWrongWithTheFileIsNotPassedOn(t *testing.T) {
	e := connected(t)
	file := e.opened("x := 2 * y")
	send(t, e.fromGopls, `{"method":"textDocument/publishDiagnostics","params":{"uri":"file:///elsewhere.go","diagnostics":[{}]}}`)
	send(t, e.fromGopls, `{"method":"textDocument/publishDiagnostics","params":{"uri":"`+file+`","diagnostics":[{"message":"mismatched types"}]}}`)
	assert.Equal(t, message{"uri": notebookURI, "diagnostics": []any{}}, receive(t, e.editorOut)["params"])
}

func TestNewsOpenNoDialog(t *testing.T) {
	e := connected(t)
	for kind, want := range map[string]string{"1": "window/showMessage", "3": "window/logMessage", "4": "window/logMessage"} {
		send(t, e.fromGopls, `{"method":"window/showMessage","params":{"type":`+kind+`,"message":"Loading packages..."}}`)
		assert.Equal(t, want, receive(t, e.editorOut)["method"])
	}
}

func TestCapabilitiesThatCellsHave(t *testing.T) {
	e := connected(t)
	send(t, e.toProxy, `{"id":0,"method":"initialize","params":{"rootUri":"file:///home/someone","capabilities":{}}}`)
	asked := receive(t, e.goplsIn)["params"].(message)
	assert.NotContains(t, asked["rootUri"], "someone")
	send(t, e.fromGopls, `{"id":0,"result":{"capabilities":{"hoverProvider":true,"documentFormattingProvider":true,"semanticTokensProvider":{}}}}`)
	assert.Equal(t, message{"hoverProvider": true, "textDocumentSync": message{"openClose": true, "change": 1.0}},
		receive(t, e.editorOut)["result"].(message)["capabilities"])
}

func TestEachNameIsCompletedOnce(t *testing.T) {
	e := connected(t)
	file := e.opened("x := 1\n\n\nx := 2\nx")
	_, answer := e.asked(file, "textDocument/completion", `,"position":{"line":4,"character":1}`,
		`{"items":[{"label":"xˑ1","textEdit":{"newText":"xˑ1","range":{"start":{"line":6,"character":10},"end":{"line":6,"character":11}}}},{"label":"x"}]}`)
	items := answer["result"].(message)["items"].([]any)
	require.Len(t, items, 1)
	assert.Equal(t, "x", items[0].(message)["label"])
}

func TestChangesOfTheText(t *testing.T) {
	e := connected(t)
	e.opened("é🙂x := 1")
	change := func(changes string) string {
		send(t, e.toProxy, `{"method":"textDocument/didChange","params":{"textDocument":{"uri":"`+notebookURI+`","version":2},"contentChanges":`+changes+`}}`)
		return receive(t, e.goplsIn)["params"].(message)["contentChanges"].([]any)[0].(message)["text"].(string)
	}
	assert.Equal(t, "package main\n\nvar z = 1\n", change(`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}},"text":"z"}]`))
	assert.Equal(t, "package main\n\nvar y = 1\n", change(`[{"text":"y := 1"}]`))
}

func TestMessagesThatAreNotMessages(t *testing.T) {
	for text, want := range map[string]string{
		"Content-Length: x\r\n\r\n":           `a message says that it has "x" bytes`,
		"Content-Length: 99999999999\r\n\r\n": "0 to 67108864 are possible",
		"Content-Length: 2\r\n\r\n{x":         "a message is not valid JSON",
	} {
		e := connected(t)
		go io.WriteString(e.toProxy, text)
		assert.ErrorContains(t, <-e.served, want)
	}
}
