package judge

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// assertedTypes declares types of every kind that an assertion can name.
const assertedTypes = `
type V int
func (V) String() string { return "V" }
func (V) Error() string { return "V" }
type P struct{ n int }
func (*P) String() string { return "P" }
func (*P) Error() string { return "P" }
type Wrong struct{}
func (Wrong) String() int { return 0 }
func (Wrong) Error(int) string { return "" }
func (Wrong) Get() string { return "" }
type Variadic bool
func (Variadic) Put(...int) {}
type List string
func (List) Put([]int) {}
type N V
type NN struct{ N }
type OfP P
type Alias = map[string]V
type EmbedV struct{ V }
type EmbedP struct{ *P }
type EmbedByValue struct{ P }
type EmbedI struct{ fmt.Stringer }
type Two struct { V; *P }
type Fn func(int) string
func (Fn) String() string { return "Fn" }
type PlainFn func(V, ...*P) (Fn, error)
type Slice []V
type Array [2]P
type Map map[V]*P
type Chan chan V
type Of *P
type Hides struct{}
func (Hides) hidden() {}
func (Hides) Hidden() {}
type HidesOther struct{}
func (HidesOther) hidden(int) {}
type G[T any] struct{ v T }
func (g G[T]) Get() T { return g.v }
func (g *G[T]) Set(v T) { g.v = v }
type GFn[K comparable, T any] func(K) T
func (GFn[K, T]) Get() (t T) { return t }
type Tree[T any] struct { left, right *Tree[T]; v T }
type Num[T ~int | ~string] []T
func (n Num[T]) Get() T { return n[0] }
type Getter[T any] interface{ Get() T }
type Setter[T any] interface { Getter[T]; Set(T) }
type Both interface { fmt.Stringer; error }
type Many interface { Alpha(); Beta(int); String() string; gamma(); Zeta() }
type secret interface{ hidden() }
type Putter interface{ Put(...int) }
type Self interface{ Next() Self }
type Node struct{}
func (Node) Next() Self { return nil }
type imported struct { heap.Interface; context.Context; json.Marshaler; http.Handler; s sort.Interface }
func local(n int) any {
	type L struct{ n int }
	if n == 0 { return L{} }
	if n == 1 { type L struct{ n int }; return L{} }
	type M []L
	return M{}
}
func localOf[T any](n int) any {
	type L struct{ v T }
	if n == 0 { return L{} }
	return &L{}
}
func isLocal(x any) { type L struct{ n int }; _ = x.(L) }
func isLocalPointer(x any) { type L string; _ = x.(*L) }
func isLocalInterface(x any) { type L interface{ Get() V; Hidden() }; _ = x.(L) }
func isLocalOf[T any](x any) { type L struct{ v T }; _ = x.(L) }
func as[T any](x any) { _ = x.(T) }
func asList[T any](x any) { _ = x.([]T) }
func asG[T any](x any) { _ = x.(G[T]) }
func asGetter[T any](x any) { _ = x.(Getter[T]) }
func asMap[K comparable, T any](x any) { _ = x.(map[K]func(T) G[K]) }
func from[I Getter[T], T any](x I) { _ = any(x).(Setter[T]) }
func (g G[T]) Is(x any) { _ = x.(T) }
func (g *G[T]) IsG(x any) { _ = x.(*G[T]) }
`

// assertedFrom are interface types with values that they hold.
var assertedFrom = []struct {
	name, typ string
	values    []string
}{
	{"any", "any", []string{"nil", "1", `"s"`, "2.5", "'r'", "byte(1)", "uintptr(1)", "2i", "true", "V(1)", "new(V)", "P{}", "&P{}", "new(*P)", "Wrong{}", "&Wrong{}",
		"Variadic(true)", "List(``)", "N(1)", "NN{}", "OfP{}", "&OfP{}", "Alias{}", "EmbedV{}", "&EmbedV{}", "EmbedP{}", "EmbedByValue{}", "&EmbedByValue{}",
		"EmbedI{}", "Two{}", "Fn(nil)", "func(int) string { return `` }", "PlainFn(nil)", "func(V, ...*P) (f Fn, err error) { return }", "Slice{}", "[]V{}", "Array{}",
		"[2]P{}", "Map{}", "map[V]*P{}", "Chan(nil)", "make(chan V)", "(<-chan V)(nil)", "(chan<- *P)(nil)", "Of(nil)", "Hides{}", "HidesOther{}", "G[int]{}", "&G[int]{}", "G[V]{}",
		"G[*P]{}", "G[G[string]]{}", "&G[[]Slice]{}", "G[struct{ A int }]{}", "G[any]{}", "G[error]{}", "G[time.Duration]{}", "GFn[string, V](nil)", "Tree[V]{}", "Num[V]{1}", "Num[string]{}",
		"Node{}", "&Node{}", "local(0)", "local(1)", "local(2)", "localOf[int](0)", "localOf[V](0)", "localOf[G[V]](1)", "struct{}{}", "struct{ a int }{}", "struct{ A int `json:\"a\"` }{}", "struct{ A int }{}",
		"struct{ V }{}", "struct{ *P }{}", "struct{ fmt.Stringer }{}", "struct { a, b V; c func(P) }{}", "[]any{}", "[]interface{ String() string }{}", "[]error{}", "map[any]any{}",
		"[]fmt.Stringer{}", "func() {}", "func(any) any { return nil }", "[3][]map[string]*V{}", "time.Second", "time.March", "&bytes.Buffer{}", "bytes.Buffer{}", "io.EOF", "&fs.PathError{}", "&sync.Mutex{}",
		"sync.Mutex{}", "big.NewInt(1)", "reflect.TypeFor[int]()", "os.Stdout", "url.Values{}", "errors.New", "atomic.Pointer[V]{}", "unsafe.Pointer(nil)", "V.String", "(*P).String", "V(1).String"}},
	{"Stringer", "fmt.Stringer", []string{"nil", "V(1)", "new(V)", "&P{}", "EmbedV{}", "EmbedP{}", "EmbedI{}", "Fn(nil)", "time.Second", "&bytes.Buffer{}", "struct{ V }{}", "NN{}.N.v()"}},
	{"error", "error", []string{"nil", "V(1)", "&P{}", "io.EOF", "&fs.PathError{}", "fmt.Errorf(`%w`, io.EOF)", "errors.Join(io.EOF)", "struct{ *P }{}"}},
	{"Getter", "Getter[int]", []string{"nil", "G[int]{}", "&G[int]{}", "GFn[V, int](nil)", "Num[int]{}"}},
	{"GetterOfG", "Getter[G[V]]", []string{"nil", "G[G[V]]{}", "&G[G[V]]{}"}},
	{"secret", "secret", []string{"nil", "Hides{}", "&Hides{}"}},
	{"literal", "interface { String() string; Error() string }", []string{"nil", "V(1)", "&P{}"}},
	{"hiddenLiteral", "interface { Hidden(); hidden() }", []string{"nil", "Hides{}"}},
	{"Self", "Self", []string{"nil", "Node{}", "&Node{}"}},
	{"Putter", "Putter", []string{"nil", "Variadic(false)"}},
}

// assertedTo are the types that are asked for.
var assertedTo = []string{"int", "string", "rune", "byte", "uintptr", "any", "error", "fmt.Stringer", "V", "*V", "P", "*P", "**P", "Wrong", "Variadic", "N", "NN", "OfP", "*OfP", "Alias",
	"EmbedV", "*EmbedV", "EmbedP", "EmbedByValue", "EmbedI", "Two", "Fn", "func(int) string", "PlainFn", "func(V, ...*P) (Fn, error)", "func(V, []*P) (Fn, error)", "Slice", "[]V", "Array",
	"[2]P", "[2]V", "Map", "map[V]*P", "Chan", "chan V", "<-chan V", "chan<- V", "chan (<-chan P)", "Of", "Hides", "G[int]", "*G[int]", "G[V]", "G[*P]", "G[G[string]]", "G[struct{ A int }]", "G[interface{ M() }]",
	"G[time.Month]", "GFn[string, V]", "GFn[string, int]", "Tree[V]", "Tree[Tree[V]]", "*Tree[*P]", "Num[V]", "Num[int]", "Getter[int]", "Getter[V]", "Getter[G[V]]", "Setter[int]", "Setter[G[V]]", "Both", "Many",
	"secret", "Putter", "Self", "Node", "struct{}", "struct{ a int }", "struct{ A int }", "struct{ A int `json:\"b\"` }", "struct{ V }", "struct{ *P }", "struct { fmt.Stringer; n V }", "struct { a, b V; c func(P) }",
	"[]any", "[]error", "[]fmt.Stringer", "[]int", "map[string]G[V]", "func()", "func(any) any", "func(G[int], ...func()) []P", "interface{ hidden() }", "interface { Get() int; String() string }",
	"interface { Get() V; Set(V) }", "interface { hidden(); String() string }", "interface { Next() Self; Prev() Self }", "interface{ Put([]int) }", "interface{ String() V }", "interface { error; Unwrap() error }", "interface{ Is(any) }", "interface { Lock(); Unlock(); TryLock() bool; RLock() }",
	"time.Duration", "*bytes.Buffer", "bytes.Buffer", "*fs.PathError", "*sync.Mutex", "io.Reader", "io.ReadWriteCloser", "reflect.Type", "big.Int", "url.Values", "http.Handler", "sort.Interface", "*os.File", "atomic.Pointer[V]", "unsafe.Pointer",
	"[3][]map[string]*V", "func() (int, error)", "func(V) string", "func(*P) string", "func() string", "json.Marshaler", "interface { json.Marshaler; String() string }", "context.Context", "heap.Interface"}

// assertedInFunctions are assertions to types that functions declare or have as type arguments.
var assertedInFunctions = []string{"isLocal(x)", "isLocalPointer(x)", "isLocalInterface(x)", "isLocalOf[int](x)", "isLocalOf[G[V]](x)", "as[int](x)", "as[V](x)", "as[*P](x)",
	"as[G[V]](x)", "as[Getter[V]](x)", "as[interface{ Hidden() }](x)", "as[struct { a, b V; c func(P) }](x)", "as[error](x)", "as[[]V](x)", "asList[V](x)", "asList[any](x)", "asG[int](x)", "asG[*P](x)", "asG[[]Slice](x)",
	"asGetter[V](x)", "asGetter[struct{ A int }](x)", "asMap[string, V](x)", "from(G[V]{}); from(&G[P]{})", "G[string]{}.Is(x)", "G[G[V]]{}.Is(x)", "(&G[V]{}).IsG(x)"}

// AssertionCode is Go code that asserts values of every kind of type, in interfaces of several types, to every kind of
// type: plain, with the second result, and in a type switch. It has the types apart from the functions that assert, as
// they may be of another cell. It prints whether the errors have the given type.
func AssertionCode(t testing.TB, errorType string) (types string, code Generated) {
	t.Helper()
	code.Imports = []string{"bytes", "container/heap", "context", "encoding/json", "errors", "fmt", "io", "io/fs", "math/big", "net/http", "net/url",
		"os", "reflect", "runtime", "sort", "sync", "sync/atomic", "time", "unsafe"}
	types = assertedTypes + `
func (n N) v() V { return V(n) }
func whatHappens(name string, n int, f func()) {
	defer func() {
		if err, ok := recover().(error); ok {
			_, is := err.(` + errorType + `)
			fmt.Println(err, is)
		}
	}()
	fmt.Print(name, " ", n, " ")
	f()
	fmt.Println("holds")
}
`
	var functions []string
	var calls strings.Builder
	for _, from := range assertedFrom {
		types += fmt.Sprintf("var values%s = []%s{%s}\n", from.name, from.typ, strings.Join(from.values, ", "))
		for i, to := range assertedTo {
			name := fmt.Sprintf("f%sTo%d", from.name, i)
			functions = append(functions, fmt.Sprintf("func %s(x %s) { y, ok := x.(%s); z := false; switch x.(type) { case %s: z = true }; fmt.Printf(\"%%v %%v %%T \", ok, z, y); _ = x.(%s) }",
				name, from.typ, to, to, to))
		}
	}
	for i, call := range assertedInFunctions {
		functions = append(functions, fmt.Sprintf("func fanyIn%d(x any) { %s }", i, call))
	}
	for _, f := range possible(t, code.Imports, types, functions) {
		code.Decls += f + "\n"
		name := f[len("func "):strings.Index(f, "(")]
		values, _, _ := strings.Cut(name[1:], "To")
		values, _, _ = strings.Cut(values, "In")
		fmt.Fprintf(&calls, "for i, x := range values%s { whatHappens(%q, i, func() { %s(x) }) }\n", values, name, name)
	}
	code.Calls = calls.String()
	return types, code
}

// possible leaves out the functions with assertions that the compiler knows to be impossible. Each is a line.
func possible(t testing.TB, imports []string, types string, functions []string) (some []string) {
	t.Helper()
	judges.Command(t, "go")
	head := "package main\n"
	for _, path := range imports {
		head += "import \"" + path + "\"\n"
	}
	head += types + "func main() {}\n"
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(head+strings.Join(functions, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("go", "build", "-gcflags=-e", "-o", os.DevNull, file).CombinedOutput()
	bad := map[int]bool{}
	for _, m := range regexp.MustCompile(`main\.go:(\d+):\d+: (impossible type (?:assertion|switch case))?`).FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[1])
		bad[line-1-strings.Count(head, "\n")] = m[2] != ""
	}
	for i, f := range functions {
		if !bad[i] {
			some = append(some, f)
		}
	}
	return some
}
