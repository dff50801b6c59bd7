package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
	"github.com/arrayrepl/arrayrepl/kernel/notebook/export"
	"github.com/arrayrepl/arrayrepl/kernel/notebook/trust"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// errDisagree is the error of two readers of one input that say different things of it.
var errDisagree = errors.New("two readers disagree")

func asJSON(v any) []byte {
	text, err := json.MarshalIndent(v, "", " ")
	must(err)
	return text
}

// notebookOf is a notebook whose cells are those.
func notebookOf(cells ...any) []byte {
	return asJSON(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{"kernelspec": map[string]any{"name": "arrayrepl", "language": "go"}}, "cells": cells})
}

type object = map[string]any

func codeCell(source string, outputs ...any) object {
	return object{"cell_type": "code", "id": "a", "execution_count": 1, "metadata": object{"tags": []string{"claim"}}, "source": []string{source}, "outputs": append([]any{}, outputs...)}
}

func displayed(data object) object {
	return object{"output_type": "display_data", "metadata": object{}, "data": data}
}

// pixel is a PNG of one pixel in base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

func notebooks() *format {
	return &format{
		name: "notebook", base: 8 << 20, times: 1000, text: true, share: 2,
		seeds: func() []input {
			file, err := carried.NewFile([]byte("a,b\n1,2\n"))
			must(err)
			return []input{{name: "cells", ext: ".ipynb", data: notebookOf(
				object{"cell_type": "markdown", "id": "m", "metadata": object{}, "source": []string{"# Title\n", "![p](attachment:p.png) $x^2$\n\n```go\nx\n```"}, "attachments": object{"p.png": object{"image/png": pixel}}},
				codeCell("x := 1\nx", object{"output_type": "stream", "name": "stdout", "text": []string{"a\n", "b"}}, displayed(object{"text/plain": "1", "image/png": pixel, "text/html": "<b>1</b>"})),
				codeCell("%data a.csv", displayed(object{carried.MIME: carried.Set{Data: map[string]carried.File{"a.csv": file}}, "text/plain": "a.csv"})),
				codeCell("bad", object{"output_type": "error", "ename": "panic", "evalue": "x", "traceback": []string{"\x1b[31mpanic\x1b[0m"}}),
			)}}
		},
		special: func() []input {
			attached := func(name string) []byte {
				return notebookOf(object{"cell_type": "markdown", "id": "m", "metadata": object{}, "source": "![p](attachment:" + name + ")", "attachments": object{name: object{"image/png": pixel}}})
			}
			nested := func(open, closed string, n int) []byte {
				return []byte(`{"nbformat":4,"nbformat_minor":5,"metadata":{"a":` + strings.Repeat(open, n) + strings.Repeat(closed, n) + `},"cells":[]}`)
			}
			source := func(s string) []byte {
				return notebookOf(object{"cell_type": "markdown", "id": "m", "metadata": object{}, "source": s})
			}
			return []input{
				{name: "an attachment of another directory", ext: ".ipynb", data: attached("../../../p.png")},
				{name: "an attachment with an absolute path", ext: ".ipynb", data: attached("/etc/p.png")},
				{name: "an attachment with NUL", ext: ".ipynb", data: attached("a\x00b.png")},
				{name: "an attachment with a long name", ext: ".ipynb", data: attached(strings.Repeat("n", 5000) + ".png")},
				{name: "an attachment with a name of Windows", ext: ".ipynb", data: attached(`..\..\p.png`)},
				{name: "lists 9,000 deep", ext: ".ipynb", data: nested("[", "]", 9000)},
				{name: "lists 100,000 deep", ext: ".ipynb", must: fail, data: nested("[", "]", 100_000)},
				{name: "two lists of cells", ext: ".ipynb", data: []byte(`{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[],"cells":7,"cells":[]}`)},
				{name: "found by this program: many empty objects", ext: ".ipynb", most: 400 << 20, data: []byte(`{"nbformat":4,"nbformat_minor":5,"metadata":{"a":[` + strings.Repeat("{},", 200_000) + `{}]},"cells":[]}`)},
				{name: "base64 that is not base64", ext: ".ipynb", data: notebookOf(codeCell("x", displayed(object{"image/png": "!!!", "text/plain": "x"})))},
				{name: "a picture that is a number", ext: ".ipynb", data: notebookOf(codeCell("x", displayed(object{"image/png": 7, "text/plain": []any{1, nil}})))},
				{name: "outputs that are texts", ext: ".ipynb", data: notebookOf(codeCell("x", "a", 7, nil))},
				{name: "carried data that is a list", ext: ".ipynb", data: notebookOf(codeCell("x", displayed(object{carried.MIME: []int{1}})))},
				{name: "a count of 2^63", ext: ".ipynb", data: []byte(`{"nbformat":4,"nbformat_minor":9223372036854775808,"metadata":{},"cells":[]}`)},
				{name: "quotes 10,000 deep in Markdown", ext: ".ipynb", most: 1 << 30, data: source(strings.Repeat(">", 10_000) + "a")},
				{name: "lists 2,000 deep in Markdown", ext: ".ipynb", most: 1 << 30, data: source(strings.Repeat("- ", 2000) + "a")},
				{name: "brackets 50,000 deep in Markdown", ext: ".ipynb", most: 1 << 30, data: source(strings.Repeat("[", 50_000) + "a")},
				{name: "stars in Markdown", ext: ".ipynb", most: 1 << 30, data: source(strings.Repeat("*a_ ", 20_000))},
				{name: "many stars in Markdown", ext: ".ipynb", most: 1 << 30, data: source(strings.Repeat("**a_ ~b", 50_000))},
				{name: "backticks of all lengths in Markdown", ext: ".ipynb", most: 1 << 30, data: source(ticks(300))},
				{name: "tags 20,000 deep in HTML", ext: ".ipynb", most: 1 << 30, data: notebookOf(codeCell("x", displayed(object{"text/html": strings.Repeat("<div>", 20_000), "text/plain": "x"})))},
			}
		},
		read:  func(in input) (string, error) { return fromFile(in, loadNotebook) },
		paths: loadNotebook,
	}
}

func ticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i+1) + "a ")
	}
	return b.String()
}

// loadNotebook reads a notebook and does with it what the project does without running it.
func loadNotebook(path string) (string, error) {
	nb, err := notebook.Read(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.Size() < 64<<20 {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		_ = trust.Store{Jupyter: scratch, Own: filepath.Join(scratch, "trusted")}.Knows(data)
	}
	for _, f := range nb.Carried().Data {
		if _, err := f.Content(); err != nil && unclear(err.Error()) != "" {
			return "", err
		}
	}
	for _, sanitize := range []bool{false, true} {
		if err := export.HTML(io.Discard, nb, export.Options{Title: "t", Sanitize: sanitize}); err != nil {
			return "", err
		}
	}
	for _, markdown := range []func(*notebook.Notebook, string) (string, map[string][]byte, error){export.Markdown, export.SanitizedMarkdown} {
		_, files, err := markdown(nb, "files")
		if err != nil {
			return "", err
		}
		for name := range files {
			if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\x00\\") || len(filepath.Base(name)) > 255 {
				panic(fmt.Sprintf("Markdown has a file of the name %q", name))
			}
		}
	}
	text, err := nb.JSON()
	if err != nil {
		return "", err
	}
	if _, err := notebook.Parse(text); err != nil {
		return "", fmt.Errorf("what was read is not read again: %w: %w", err, errDisagree)
	}
	return fmt.Sprintf("%d cells", len(nb.Cells)), nil
}

func carriedFiles() *format {
	set := func(f carried.File) []byte { return asJSON(carried.Set{Data: map[string]carried.File{"a": f}}) }
	return &format{
		name: "carried", base: 2 << 20, times: 300, text: true, checked: true,
		seeds: func() []input {
			f, err := carried.NewFile([]byte(strings.Repeat("a,b\n1,2\n", 20)))
			must(err)
			return []input{{name: "file", data: set(f)}}
		},
		special: func() (all []input) {
			zeros := packed(make([]byte, 300<<20))
			for _, size := range []int64{-1 << 63, -1, 0, 1, 1 << 20, 1 << 31, 1 << 32, 1 << 62, 1<<63 - 1} {
				all = append(all, input{name: fmt.Sprintf("a size of %d", size), must: fail, data: set(carried.File{Size: size, Gzip: zeros[:20_000], SHA256: carried.Sum(nil)})})
			}
			return append(all, input{name: "300 MB of zeros", must: fail, data: set(carried.File{Size: 300 << 20, Gzip: zeros, SHA256: carried.Sum(nil)})},
				input{name: "no content", must: fail, data: set(carried.File{})})
		},
		read: func(in input) (string, error) {
			var s carried.Set
			if err := json.Unmarshal(in.data, &s); err != nil { // as a notebook's, which says nothing of it then
				return "", fmt.Errorf("nothing is carried")
			}
			for _, f := range s.Data {
				content, err := f.Content()
				if err != nil {
					return "", err
				}
				return carried.Sum(content), nil
			}
			return "", fmt.Errorf("nothing is carried")
		},
	}
}

func connections() *format {
	good := object{"transport": "tcp", "ip": "127.0.0.1", "shell_port": 50001, "control_port": 50002, "stdin_port": 50003, "iopub_port": 50004, "hb_port": 50005, "key": "a", "signature_scheme": "hmac-sha256"}
	with := func(name string, v any) input {
		c := object{}
		for k, x := range good {
			c[k] = x
		}
		c[name] = v
		return input{name: fmt.Sprintf("%s %.40v", name, v), ext: ".json", must: fail, data: asJSON(c)}
	}
	return &format{
		name: "connection", base: 4 << 20, times: 50, text: true,
		seeds: func() []input { return []input{{name: "file", ext: ".json", data: asJSON(good)}} },
		special: func() []input {
			return []input{with("shell_port", -1), with("shell_port", 0), with("hb_port", 65536), with("hb_port", 1<<40), with("hb_port", 1.5), with("transport", "\x1b[31m"), with("transport", strings.Repeat("x", 1<<19)), with("ip", ""), with("signature_scheme", "md5\x00"),
				with("signature_scheme", strings.Repeat("md5", 1<<17)), with("curve_publickey", strings.Repeat("x", 1<<19)), with("curve_secretkey", "\x00\x1b")}
		},
		read:  func(in input) (string, error) { return fromFile(in, loadConnection) },
		paths: loadConnection,
	}
}

func loadConnection(path string) (string, error) {
	c, err := kernel.ReadConnection(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.60q %d", c.IP, c.ShellPort), nil
}

func machines() *format {
	return &format{
		name: "machine", base: 4 << 20, times: 100, text: true,
		seeds: func() []input {
			all := []input{{name: "written by hand", ext: ".json", data: []byte("{\"Base\": \"h200\", \"Title\": \"a card\", \"SMs\": 114,\n \"Units\": {\"fp64\": {\"Latency\": 16, \"Lanes\": 8}}}\n")}}
			p, err := simgpu.PresetByName("a100")
			must(err)
			text, err := p.File("tiny")
			must(err)
			return append(all, input{name: "all fields", ext: ".json", data: text})
		},
		special: func() []input {
			of := func(name, fields string) input {
				return input{name: name, ext: ".json", must: fail, data: []byte(`{"Base": "h200", ` + fields + `}`)}
			}
			return []input{
				of("a field that there is not", `"`+strings.Repeat("x", 500_000)+`": 1`), of("a unit that there is not", `"Units": {"`+strings.Repeat("x", 500_000)+`": {}}`), of("a scheduling with an escape", `"Scheduling": "\u001b[31m"`),
				of("a long coalescing", `"Coalescing": "`+strings.Repeat("x", 500_000)+`"`), {name: "a base that is a file", ext: ".json", must: fail, data: []byte(`{"Base": "input.json"}`)},
				{name: "a long base", ext: ".json", must: fail, data: []byte(`{"Base": "` + strings.Repeat("x", 500_000) + `"}`)}, {name: "a base with an escape", ext: ".json", must: fail, data: []byte(`{"Base": "\u001b[31m\u0000"}`)},
				of("a long list of carveouts", `"SharedCarveouts": [`+strings.Repeat("1,", 300_000)+`1]`),
			}
		},
		read:  func(in input) (string, error) { return fromFile(in, loadMachine) },
		paths: loadMachine,
	}
}

func loadMachine(path string) (string, error) {
	p, err := simgpu.PresetByName(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.60q %d", p.Title, p.SMs), nil
}
