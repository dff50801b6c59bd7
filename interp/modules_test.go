package interp

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// serveModules makes a module proxy of a folder's archives: testdata/modules has a txtar archive for each module and
// version, named path!version with dashes for slashes. Modules come from there alone, into a module cache of the test's
// own.
func serveModules(t *testing.T) {
	t.Helper()
	judges.Command(t, "go")
	proxy := t.TempDir()
	archives, _ := filepath.Glob("testdata/modules/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no modules in testdata/modules")
	}
	for _, file := range archives {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path, version, _ := strings.Cut(strings.TrimSpace(string(ar.Comment)), "@")
		dir := filepath.Join(proxy, filepath.FromSlash(path), "@v")
		var b bytes.Buffer
		zw := zip.NewWriter(&b)
		mod := "module " + path + "\n\ngo 1.26\n"
		for _, f := range ar.Files {
			if f.Name == "go.mod" {
				mod = string(f.Data)
			}
			w, err := zw.Create(path + "@" + version + "/" + f.Name)
			if err == nil {
				_, err = w.Write(f.Data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := zw.Close(); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, version+".mod"), mod)
		writeFile(t, filepath.Join(dir, version+".info"), fmt.Sprintf(`{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version))
		writeFile(t, filepath.Join(dir, version+".zip"), b.String())
		list, _ := os.ReadFile(filepath.Join(dir, "list"))
		writeFile(t, filepath.Join(dir, "list"), string(list)+version+"\n")
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestModules uses modules of the test's own from cells, one step after the other.
func TestModules(t *testing.T) {
	testsize.InTurn(t, 0)
	serveModules(t)
	r := newRecorder(t, Options{})
	cell := 0
	steps := []struct {
		get, src string
		want     string // what the cell prints, or the beginning of what the failure says
	}{
		{src: "import \"example.com/geo\"", want: "cell 1, line 1, column 8: could not import example.com/geo (no module of this session has the package example.com/geo: fetch it by the line %get example.com/geo, or let imports fetch by %autoget on)"},
		{get: "example.com/geo@v1.0.0"},
		{src: "geo.Dist(geo.Point{3, 4}, geo.Origin)", want: "5"}, // without an import line, as standard packages
		{src: "import g \"example.com/geo\"\np := g.Point{1, 2}\np", want: "<1,2>"},
		{src: "fmt.Sprint(p, []g.Point{p}, map[string]g.Point{`a`: p})", want: "<1,2> [<1,2>] map[a:<1,2>]"},
		{src: "p.Move(1, 1); p", want: "<2,3>"},
		{src: "var s fmt.Stringer = &p; s.String()", want: "<2,3>"},
		{src: "g.Count, len(g.Log)", want: "1 1"}, // initialised once, init functions included
		{src: "g.Count = 10; geo.Next(), g.Count", want: "11 11"},
		{src: "g.Map([]int{1, 2}, func(i int) string { return fmt.Sprint(i * i) })", want: "[1 4]"},
		{src: "err := g.Fail(3); err", want: "geo: 3 failed"},
		{src: "var fe *g.Error; errors.As(fmt.Errorf(`x: %w`, err), &fe), fe.Code", want: "true 3"},
		{src: "b, _ := json.Marshal(p); string(b)", want: `{"x":2,"y":3}`},
		{src: "sort.Sort(g.ByX{{3, 1}, {1, 2}}); g.Greeting", want: "hello from a file\n"},
		{src: "g.Files(), string(g.Bytes)", want: "[.:0 data:0 data/a.txt:2 data/b.bin:4 greeting.txt:18] bin\n"},
		{src: "type Wrapped struct{ g.Point }\nWrapped{p}", want: "<2,3>"},
		{src: "func (w Wrapped) Twice() g.Point { return g.Point{2 * w.X, 2 * w.Y} }\nWrapped{p}.Twice()", want: "<4,6>"},
		{src: "g.Panics()", want: "panic: geo panics"},
		{src: "p", want: "<2,3>"},
		{src: "geo.Spin()", want: "interrupted"},
		{src: "g.Asm(1)", want: "panic: example.com/geo.Asm is written in assembly, or borrowed from Go's runtime"},
		{src: "geo.hidden()", want: "cell"},

		// Minimal version selection: geo wants shared v1.1.0, other wants v1.2.0.
		{src: "geo.SharedVersion()", want: "1.1.0"},
		{get: "example.com/other@v1.0.0"},
		{src: "import \"example.com/other/sub\"\nsub.Name", want: "sub of other"},
		{src: "import \"example.com/shared\"\nshared.Version", want: "1.1.0"}, // loaded before: it stays

		// What is made for plain Go.
		{get: "example.com/fast"},
		{src: "fast.Kind(), fast.Arch()", want: "purego plain"},
		{src: "fast.Loop()", want: "[2 2]"}, // as in the Go version of its go.mod
		{src: "fast.Turn(3, `a`, `b`, `c`)", want: "[bca cab abc]"},
		{src: "fast.Count(4, `a`, `b`, `c`)", want: "map[abc:2 bca:3 cab:1]"},
		{get: "example.com/cgo@latest"},
		{src: "import \"example.com/cgo\"", want: "package example.com/cgo (v1.0.0) needs cgo"},
		{src: "import \"example.com/cgo/user\"", want: "needs cgo"},
		{src: "import \"example.com/geo/internal/deep\"", want: "is internal: only what lies below example.com/geo may import it"},
		{src: "import \"example.com/geo/none\"", want: "example.com/geo/none"},
		{src: "import _ \"example.com/driver\"", want: "no module of this session has the package example.com/driver: fetch it by the line %get example.com/driver, or"},
		{get: "example.com/driver@v1.0.0"},
		{src: "import _ \"example.com/driver\"\nshared.Drivers", want: "[driver]"},
		{src: "import \"example.com/driver/broken\"", want: "cannot be interpreted"},
	}
	for _, st := range steps {
		if st.get != "" {
			if err := r.session.Get(context.Background(), st.get, nil); err != nil {
				t.Fatalf("get %s: %v", st.get, err)
			}
			continue
		}
		cell++
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		if strings.Contains(st.src, "Spin") {
			cancel()
			ctx, cancel = context.WithTimeout(context.Background(), time.Second)
		}
		b, err := r.session.Run(ctx, cell, st.src)
		cancel()
		got := b.Text()
		var failed *Error
		if errors.As(err, &failed) {
			got = strings.Join(failed.Lines(false), "\n")
			if len(failed.Diagnostics) > 0 {
				got = failed.Diagnostics[0].String()
			}
		}
		if err == nil && got != st.want || err != nil && !strings.Contains(got, st.want) {
			t.Errorf("cell %d, %s:\n%s\nwant %s", cell, st.src, got, st.want)
		}
	}

	// Completion and inspection know the modules.
	s := r.session
	for _, c := range []struct{ src, want string }{
		{"import \"example.com/g|\"", "example.com/geo: package geo — Package geo has points."},
		{"import \"example.com/other/|\"", "example.com/other/sub: package sub"},
		{"geo.Di|", "Dist: func geo.Dist(a, b geo.Point) float64 — Dist is the distance of two points."},
		{"p.Mo|", "Move: func (p *geo.Point) Move(dx, dy float64) — Move moves p."},
		{"p.X|", "X: field X float64 — to the right"},
	} {
		src, cursor := cut(c.src)
		var got []string
		for _, m := range s.Complete(src, cursor).Matches {
			got = append(got, strings.TrimSuffix(m.Text+": "+m.Signature+" — "+m.Doc, " — "))
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.src, got, c.want)
		}
	}
	if d, ok := s.Describe("geo.Point", 9, 0); !ok || !strings.HasPrefix(d.Plain(), "type Point struct {\n\tX float64") {
		t.Errorf("geo.Point: %+v", d)
	}
	if got := CachedModules("example.com/s"); len(got) != 1 || got[0] != "example.com/shared" {
		t.Errorf("cached: %q", got)
	}
	if got := CachedModules("example.com/geo@"); len(got) != 1 || got[0] != "example.com/geo@v1.0.0" {
		t.Errorf("cached versions: %q", got)
	}
}

func TestGetFailures(t *testing.T) {
	serveModules(t)
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for query, want := range map[string]string{
		"":                       "is not a module",
		"two words":              "is not a module",
		"-x":                     "is not a module",
		"strings":                "needs no fetching",
		"example.com/none":       "example.com/none",
		"example.com/geo@v9.0.0": "v9.0.0",
	} {
		if err := s.Get(ctx, query, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("get %q: %v, want %q", query, err, want)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Get(ended, "example.com/geo@v1.0.0", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context ended, Get returns %v", err)
	}
	var said bytes.Buffer
	if err := s.Get(ctx, "example.com/geo@v1.0.0", &said); err != nil || !strings.Contains(said.String(), "downloading example.com/geo v1.0.0") {
		t.Errorf("Get: %v; it says %q", err, said.String())
	}
	t.Setenv("PATH", t.TempDir())
	if err := s.Get(ctx, "example.com/other", nil); !errors.Is(err, ErrNoGo) {
		t.Errorf("without a go command Get returns %v", err)
	}
}

// TestGetIsInterrupted: a proxy that does not answer.
func TestGetIsInterrupted(t *testing.T) {
	serveModules(t)
	asked, release := make(chan bool, 10), make(chan bool)
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- true
		<-release
	}))
	defer proxy.Close()
	defer close(release)
	t.Setenv("GOPROXY", proxy.URL)
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Get(ctx, "example.com/geo", nil) }()
	<-asked
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Get: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("Get goes on after its context has ended")
	}
}

// realModules are what notebook users fetch; the statements print the same from cells and from a compiled program.
var realModules = []struct{ get, imports, code string }{
	{"github.com/google/uuid@v1.6.0", `"github.com/google/uuid"`, `
		id := uuid.NewSHA1(uuid.NameSpaceDNS, []byte("golang.org"))
		fmt.Println(id, id.Version(), id.Variant())
		_, err := uuid.Parse("x")
		fmt.Println(err, uuid.IsInvalidLengthError(err))
		b, _ := json.Marshal(map[string]uuid.UUID{"id": id})
		fmt.Println(string(b))`},
	{"github.com/BurntSushi/toml@v1.4.0", `"github.com/BurntSushi/toml"`, `
		var conf struct { Name string; Age int; When time.Time; Tags []string; Sub struct{ X float64 } }
		md, err := toml.Decode("Name = 'Ada'\nAge = 36\nWhen = 2020-01-02T03:04:05Z\nTags = ['a', 'b']\n[Sub]\nX = 1.5", &conf)
		fmt.Println(conf, md.Keys(), err)
		_, err = toml.Decode("Name = ", &conf)
		fmt.Println(err)
		var out strings.Builder
		fmt.Println(toml.NewEncoder(&out).Encode(conf), out.String())`},
	{"golang.org/x/text@v0.28.0", `"golang.org/x/text/cases"; "golang.org/x/text/language"; "golang.org/x/text/unicode/norm"`, `
		fmt.Println(cases.Title(language.English).String("hello wORLD"), cases.Upper(language.Turkish).String("istanbul"))
		fmt.Println(norm.NFC.String("e\u0301") == "\u00e9", language.MustParse("de-AT"))`},
	{"golang.org/x/sys@v0.49.0", `"golang.org/x/sys/unix"; "golang.org/x/sys/cpu"; "os"`, `
		var st unix.Stat_t
		fmt.Println(unix.Stat("/", &st), st.Mode&unix.S_IFMT == unix.S_IFDIR, unix.Getpid() == os.Getpid(), unix.Access("/none", 0))
		fmt.Println(cpu.Initialized, unix.Getpagesize())`},
	{"gonum.org/v1/gonum@v0.16.0", `"gonum.org/v1/gonum/stat"; "gonum.org/v1/gonum/mat"`, `
		xs := []float64{1, 2, 3, 4, 10}
		mean, dev := stat.MeanStdDev(xs, nil)
		fmt.Println(mean, dev)
		fmt.Println(stat.Skew(xs, nil), stat.Correlation(xs, []float64{2, 1, 4, 3, 5}, nil))
		a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
		var inv mat.Dense
		fmt.Println(inv.Inverse(a), mat.Formatted(&inv), mat.Det(a))`},
}

// TestRealModules runs programs over modules from the network, or from Go's module cache when they are there: as one
// cell, and compiled with the same build tags.
func TestRealModules(t *testing.T) {
	judges.Command(t, "go")
	for i, m := range realModules {
		if !testsize.Part(i, 3) {
			continue
		}
		t.Run(m.get, func(t *testing.T) {
			t.Parallel()
			path, version, _ := strings.Cut(m.get, "@")
			if len(CachedModules(m.get)) == 0 {
				t.Logf("%s %s is not in the module cache and must be fetched", path, version)
			}
			s, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			if err := s.Get(ctx, m.get, nil); err != nil {
				if len(CachedModules(m.get)) == 0 {
					t.Skipf("it cannot be fetched here: %v", err)
				}
				t.Fatal(err)
			}
			imports := "import (" + strings.ReplaceAll(m.imports, "; ", "\n") + ")\n"
			head := "import (\"encoding/json\"; \"fmt\"; \"strings\"; \"time\")\nvar _ = json.Marshal\nvar _ strings.Builder\nvar _ time.Time\n"
			got := printed(t, s, imports+m.code)
			if want := compiledWith(t, s, "package main\n"+imports+head+"func main() {\n"+m.code+"\n}\n"); got != want || got == "" {
				t.Errorf("in a cell:\n%s\ncompiled:\n%s", got, want)
			}
		})
	}
}

// printed runs a cell whose prints go to a string.
func printed(t *testing.T, s *Session, code string) string {
	t.Helper()
	code = strings.ReplaceAll(code, "fmt.Println(", "fmt.Fprintln(&printed, ")
	if _, err := s.Run(context.Background(), 1, "var printed strings.Builder\n"+code+"\nprinted.String()"); err != nil {
		var failed *Error
		errors.As(err, &failed)
		t.Fatalf("%s", strings.Join(failed.Lines(false), "\n"))
	}
	b, err := s.Run(context.Background(), 2, "printed.String()")
	if err != nil {
		t.Fatal(err)
	}
	return b.Text()
}

// compiledWith runs a program with the modules that the session has.
func compiledWith(t *testing.T, s *Session, src string) string {
	t.Helper()
	dir := t.TempDir()
	mod, sum := s.modules.Files()
	writeFile(t, filepath.Join(dir, "go.mod"), string(mod))
	writeFile(t, filepath.Join(dir, "go.sum"), string(sum))
	writeFile(t, filepath.Join(dir, "main.go"), src)
	cmd := exec.Command("go", "run", "-mod=mod", "-tags="+modules.PureTags, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return string(out)
}

// TestModulesLeaveNothing looks for the folders in which the go command ran.
func TestModulesLeaveNothing(t *testing.T) {
	serveModules(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Get(context.Background(), "example.com/geo", nil); err != nil {
		t.Fatal(err)
	}
	fs.WalkDir(os.DirFS(temp), ".", func(path string, d fs.DirEntry, err error) error {
		if path != "." {
			t.Errorf("%s is left", path)
		}
		return err
	})
}
