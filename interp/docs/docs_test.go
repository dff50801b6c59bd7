package docs

import (
	"go/doc"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoad(t *testing.T) {
	p, err := Load(Std(), "strings")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(p.Doc, "Package strings implements simple functions") || p.Name != "strings" {
		t.Errorf("package %s: %.60q", p.Name, p.Doc)
	}
	for _, c := range []struct{ name, decl, synopsis string }{
		{"Repeat", "func Repeat(s string, count int) string", "Repeat returns a new string consisting of count copies of the string s."},
		{"Builder.WriteString", "func (b *Builder) WriteString(s string) (int, error)", "WriteString appends the contents of s to b's buffer."},
		{"Cut", "func Cut(s, sep string) (before, after string, found bool)", "Cut slices s around the first instance of sep, returning the text before and after sep."},
		{"Reader", "type Reader struct {\n\t// contains filtered or unexported fields\n}", "A Reader implements the io.Reader, io.ReaderAt, io.ByteReader, io.ByteScanner, io.RuneReader, io.RuneScanner, io.Seeker, and io.WriterTo interfaces by reading from a string."},
	} {
		e, ok := p.Lookup(c.name)
		if got := new(doc.Package).Synopsis(e.Doc); !ok || e.Decl != c.decl || got != c.synopsis || e.Group {
			t.Errorf("%s: %q, %q, %v", c.name, e.Decl, got, e.Group)
		}
	}
	if _, ok := p.Lookup("indexFunc"); ok {
		t.Error("a function that is not exported is documented")
	}
	if _, err := Load(Std(), "internal/abi"); !os.IsNotExist(err) {
		t.Errorf("an internal package: %v", err)
	}
}

func TestMember(t *testing.T) {
	for _, c := range []struct{ path, name, member, want string }{
		{"net/http", "Client", "Jar", "Jar specifies the cookie jar."},
		{"io", "Reader", "Read", ""},
		{"image", "Point", "X", ""},
		{"os", "O_APPEND", "O_APPEND", "The remaining values may be or'ed in to control behavior."},
		{"time", "ANSIC", "Kitchen", ""},
		{"math", "Pi", "SqrtE", "https://oeis.org/A019774"},
		{"sort", "Interface", "Len", "Len is the number of elements in the collection."},
	} {
		p, err := Load(Std(), c.path)
		if err != nil {
			t.Fatal(err)
		}
		e, ok := p.Lookup(c.name)
		if !ok {
			t.Errorf("%s.%s is not documented", c.path, c.name)
			continue
		}
		if got, _, _ := strings.Cut(e.Member(c.member), "\n"); got != c.want {
			t.Errorf("%s.%s: %s has the comment %q", c.path, c.name, c.member, got)
		}
	}
}

// TestFormat shows what is kept of a source file, and that comments cannot be taken for the format's own lines.
func TestFormat(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	src := "// Package p has\n// -- lines --\npackage p\n\nimport \"example.com/lazy\"\n\n// Group.\nconst (\n\t// A is first.\n\tA = iota\n\tB // second\n\tc\n)\n\n// T is a type.\ntype T struct {\n\tX lazy.Array // across\n\ty int\n}\n\n// M moves.\nfunc (t *T) M(by int) { t.y += by }\n\nfunc hidden() {}\n"
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := Format("example.com/p", "v1", []string{file}, map[string]string{"T.M": "\tt.M(2)\n\t// 3\n"}, func(path string) string { return map[string]string{"example.com/lazy": "np"}[path] })
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("example.com/p", text)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Names(), " "); got != "A B T T.M" {
		t.Errorf("names: %s\n%s", got, text)
	}
	if p.Doc != "Package p has\n -- lines --" || p.Version != "v1" {
		t.Errorf("package: %q, %s", p.Doc, p.Version)
	}
	b, _ := p.Lookup("B")
	if b.Doc != "Group." || !b.Group || b.Member("B") != "second" || b.Member("A") != "A is first." {
		t.Errorf("B: %+v, %q, %q", b, b.Member("B"), b.Member("A"))
	}
	typ, _ := p.Lookup("T")
	m, _ := p.Lookup("T.M")
	if want := "M moves.\n\nFor example:\n\n\tt.M(2)\n\t// 3"; m.Doc != want {
		t.Errorf("T.M: %q, want %q", m.Doc, want)
	}
	if typ.Member("X") != "across" || !strings.Contains(typ.Decl, "X np.Array") || strings.Contains(typ.Decl, "y int") {
		t.Errorf("T: %+v", typ)
	}
}
