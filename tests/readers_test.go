package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// beginsReading are the functions of packages by which bytes come from files, archives and clients, or become values.
var beginsReading = map[string][]string{
	"os": {"Open", "ReadFile", "OpenFile"}, "io": {"ReadAll"}, "bufio": {"NewReader", "NewReaderSize", "NewScanner"},
	"encoding/json": {"Unmarshal", "NewDecoder"}, "encoding/gob": {"NewDecoder"}, "encoding/csv": {"NewReader"}, "encoding/xml": {"Unmarshal", "NewDecoder"},
	"compress/gzip": {"NewReader"}, "compress/zlib": {"NewReader"}, "compress/flate": {"NewReader"}, "compress/bzip2": {"NewReader"}, "compress/lzw": {"NewReader"},
	"archive/zip": {"NewReader", "OpenReader"}, "archive/tar": {"NewReader"},
	"image": {"Decode", "DecodeConfig"}, "image/png": {"Decode", "DecodeConfig"}, "image/jpeg": {"Decode", "DecodeConfig"}, "image/gif": {"Decode", "DecodeAll", "DecodeConfig"},
	"syscall": {"Mmap"}, "golang.org/x/sys/unix": {"Mmap"}, "net/http": {"Get"}, "golang.org/x/net/html": {"Parse", "ParseFragment", "NewTokenizer"},
	"github.com/apache/arrow-go/v18/arrow/ipc":       {"NewReader", "NewFileReader", "NewMappedFileReader"},
	"github.com/arrayrepl/arrayrepl/internal/budget": {"ReadFile", "ReadFileThrough", "ReadRegular", "ReadAll"},
}

// readers returns the functions of the project in which reading begins, as "internal/csvtable.Open", with what they
// call.
func readers(t *testing.T) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (file == "../tests" || d.Name() == "testdata" || len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		names := map[string][]string{} // of imports
		for _, i := range tree.Imports {
			of, _ := strconv.Unquote(i.Path.Value)
			if calls := beginsReading[of]; calls != nil {
				name := path.Base(of)
				if i.Name != nil {
					name = i.Name.Name
				}
				names[name] = calls
			}
		}
		in := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
		for _, decl := range tree.Decls {
			name := "(variables)"
			if f, is := decl.(*ast.FuncDecl); is {
				name = f.Name.Name
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if s, is := n.(*ast.SelectorExpr); is {
					if x, is := s.X.(*ast.Ident); is && slices.Contains(names[x.Name], s.Sel.Name) {
						found[in+"."+name] = append(found[in+"."+name], x.Name+"."+s.Sel.Name)
					}
				}
				return true
			})
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

// TestReadersHaveBounds: each function in which reading begins has a row in the page of readers, which says what bounds
// its memory and where that is checked, and each row has such a function.
func TestReadersHaveBounds(t *testing.T) {
	text, err := os.ReadFile("../docs/design/readers.md")
	require.NoError(t, err)
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[2]) == "bound" {
			continue
		}
		for i, what := range []string{"what is read", "the bound", "where it is checked"} {
			assert.NotEmpty(t, strings.TrimSpace(cells[1+i]), "%s: %s", what, line)
		}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[4], -1) {
			assert.False(t, listed[name[1]], "twice: %s", name[1])
			listed[name[1]] = true
		}
	}
	found := readers(t)
	require.Contains(t, found, "internal/csvtable.Open")
	for _, name := range slices.Sorted(maps.Keys(found)) {
		assert.True(t, listed[name], "%s calls %s: give it a bound on memory, and name it in docs/design/readers.md", name, strings.Join(found[name], ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		assert.Contains(t, found, name, "it reads nothing any more")
	}
}

// TestReadersAreGuarded: each public function that reads data defers the guard of readers, or is another such function
// with a call around it.
func TestReadersAreGuarded(t *testing.T) {
	reads := regexp.MustCompile(`^(Load[A-Z]?\w*|Read[A-Z]?\w*|MapNPY|MapArrow|UnmarshalJSON)$`)
	guarded := 0
	for _, dir := range []string{"../arrays", "../lazy", "../lazy/frames"} {
		files, err := filepath.Glob(dir + "/*.go")
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, decl := range tree.Decls {
				f, is := decl.(*ast.FuncDecl)
				if !is || !reads.MatchString(f.Name.Name) || f.Recv != nil && f.Name.Name == "Read" { // an io.Reader
					continue
				}
				found := false
				ast.Inspect(f.Body, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.SelectorExpr:
						x, _ := n.X.(*ast.Ident)
						found = found || x != nil && (x.Name == "reading" && n.Sel.Name == "Guard" || n.Sel.Name != f.Name.Name && x.Name == "np" && reads.MatchString(n.Sel.Name) || x.Name == "arrays" && reads.MatchString(n.Sel.Name) || reads.MatchString(n.Sel.Name) && n.Sel.Name == "UnmarshalJSON")
					case *ast.CallExpr:
						x, _ := n.Fun.(*ast.Ident)
						found = found || x != nil && x.Name != f.Name.Name && reads.MatchString(x.Name)
					}
					return true
				})
				assert.True(t, found, "%s: %s reads, and defers no reading.Guard", file, f.Name.Name)
				guarded++
			}
		}
	}
	assert.Greater(t, guarded, 25)
}
