package supervise_test

import (
	"context"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// fatals are cells whose second line, at the latest, ends a process of compiled Go, with the message that they have in
// a session.
var fatals = []struct{ name, src, message string }{
	{"go of a nil function", "var f func()\ngo f()", "fatal error: go of nil func value"},
	{"go of a nil function with arguments", "var f func(int, ...string) error\ngo f(1)", "fatal error: go of nil func value"},
	{"a Once that is replaced", "var o sync.Once\no.Do(func() { o = sync.Once{} })", "fatal error: sync: unlock of unlocked mutex"},
	{"a Once that is replaced, method value", "o := new(sync.Once); f := o.Do\nf(func() { *o = sync.Once{} })", "fatal error: sync: unlock of unlocked mutex"},
	{"a mutex that is copied", "type T struct{ sync.Mutex }; var a, b T\na.Lock(); b = a; b.Unlock(); b.Unlock()", "fatal error: sync: unlock of unlocked mutex"},
	{"a mutex that is replaced", "var mu sync.Mutex; mu.Lock()\nmu = sync.Mutex{}; mu.Unlock()", "fatal error: sync: unlock of unlocked mutex"},
	{"an RWMutex that is replaced", "var mu sync.RWMutex; mu.RLock()\nmu = sync.RWMutex{}; mu.RUnlock()", "fatal error: sync: RUnlock of unlocked RWMutex"},
	{"unlock as a callback", "var mu sync.Mutex; var o sync.Once\no.Do(mu.Unlock)", "fatal error: sync: unlock of unlocked mutex"},
	{"unlock in a goroutine of a group", "var mu sync.RWMutex; var wg sync.WaitGroup; wg.Go(mu.Unlock)\nwg.Wait(); time.Sleep(time.Minute)", "fatal error: sync: Unlock of unlocked RWMutex [in a goroutine]"},
	{"unlock by a timer", "var mu sync.Mutex; time.AfterFunc(0, mu.Unlock)\ntime.Sleep(time.Minute)", "fatal error: sync: unlock of unlocked mutex [in a goroutine]"},
	{"unlock in compiled sort", "type S struct{ sync.Mutex; sort.IntSlice }; func (s *S) Less(i, j int) bool { s.Unlock(); return false }\nsort.Sort(&S{IntSlice: []int{2, 1}})", "fatal error: sync: unlock of unlocked mutex"},
	{"negative counter", "var wg sync.WaitGroup\nwg.Done()", "sync: negative WaitGroup counter"},
	{"copied Cond", "c := sync.NewCond(new(sync.Mutex)); c.Signal(); d := *c\nd.Signal()", "sync.Cond is copied"},
	{"breakpoint", "_ = 1\nruntime.Breakpoint()", "fatal error: SIGTRAP: there is no debugger that runtime.Breakpoint could call"},
	{"no random data", "import \"crypto/rand\"\nrand.Reader = strings.NewReader(``); rand.Read(make([]byte, 1))", "fatal error: crypto/rand: failed to read random data: EOF"},
	{"no random text", "import \"crypto/rand\"\nrand.Reader = iotest.ErrReader(io.ErrNoProgress); rand.Text()", "fatal error: crypto/rand: failed to read random data: multiple Read calls return no data or error"},
	{"second finalizer", "p := new([9]int); runtime.SetFinalizer(p, func(*[9]int) {})\nruntime.SetFinalizer(p, func(*[9]int) {})", "fatal error: runtime.SetFinalizer: finalizer already set"},
	{"finalizer of no pointer", "_ = 1\nruntime.SetFinalizer(1, nil)", "runtime.SetFinalizer: first argument is int, not a pointer"},
	{"flags that end the program", "f := flag.NewFlagSet(`x`, flag.ExitOnError); f.SetOutput(io.Discard)\nf.Parse([]string{`-none`})", "os.Exit(2) ended the cell; the session goes on"},
	{"help of flags", "f := flag.NewFlagSet(`x`, flag.ExitOnError); f.SetOutput(io.Discard)\nf.Parse([]string{`-h`})", "os.Exit(0) ended the cell; the session goes on"},
	{"test without a test", "_ = 1\nsynctest.Test(nil, func(*testing.T) {})", "synctest.Test: there is no test"},
	{"cycle in gob", "type N struct{ Next *N }; n := &N{}; n.Next = n\ngob.NewEncoder(io.Discard).Encode(n)", "a value of type *main.N contains itself: what encodes it would never end"},
	{"cycle in XML", "type N struct{ V []any }; n := &N{}; n.V = []any{n}\nxml.Marshal(n)", "a value of type *main.N contains itself: what encodes it would never end"},
	{"cycle in fmt", "a := []any{nil}; a[0] = a\nfmt.Sprint(a)", "a value of type []interface {} contains itself: its text has no end"},
	{"wild pointer", "_ = 1\n*(*int)(unsafe.Pointer(uintptr(0x123456789000))) = 1", "runtime error: invalid memory address or nil pointer dereference"},
	{"wild string", "s := unsafe.String((*byte)(unsafe.Pointer(uintptr(0x123456789000))), 10)\nstrings.ToUpper(s)", "runtime error: invalid memory address or nil pointer dereference"},
	{"recursion through sort.Slice", "var less func(i, j int) bool; s := []int{2, 1}\nless = func(i, j int) bool { sort.Slice(s, less); return false }; less(0, 1)", "calls nested too deep"},
	{"recursion through a Stringer", "type T struct{ n int }; func (t T) String() string { return fmt.Sprint(t) }\nT{1}.String()", "calls nested too deep"},
	{"maps together in compiled methods", "h := http.Header{}; for range 4 { go func() { for { h.Set(`a`, `b`); h.Del(`a`) } }() }\nfor { h.Set(`a`, `c`) }", "fatal error: concurrent map writes; guard the map with a sync.Mutex, or use a sync.Map"},
	{"a map that is printed", "m := map[int]int{}; go func() { for i := 0; ; i++ { m[i&1023] = i } }()\nfor { _ = fmt.Sprint(m) }", "concurrent map"},
}

// What Go makes fatal, and throws, is an error of the cell where the session sees it, and the session goes on.
func TestFatalErrors(t *testing.T) {
	reader := rand.Reader
	t.Cleanup(func() { rand.Reader = reader })
	r := newRecorder(t, interp.Options{})
	require.Empty(t, r.Run(1, "kept := 42"))
	for _, c := range fatals {
		t.Run(c.name, func(t *testing.T) {
			_, err := r.session.Run(context.Background(), 2, c.src)
			var e *interp.Error
			require.ErrorAs(t, err, &e)
			assert.Contains(t, e.Message, c.message)
			_, err = r.session.EndJobs(context.Background()) // what the cell has left running
			require.NoError(t, err)
			assert.Equal(t, "42\n", r.Run(3, "kept"))
		})
	}
}

// What asks for more memory than there is is an error of the cell, also where compiled code would make it.
func TestMemoryOfCompiledCode(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.session.SetMemoryLimit(4 << 30)
	for _, src := range []string{
		"strings.Repeat(`ab`, 1<<40)", "bytes.Repeat([]byte{1}, 1<<40)", "new(strings.Builder).Grow(1<<40)", "new(bytes.Buffer).Grow(1<<40)",
		"bufio.NewReaderSize(os.Stdin, 1<<40)", "bufio.NewWriterSize(io.Discard, 1<<40)", "new(big.Int).Lsh(big.NewInt(1), 1<<43)",
		"new(big.Int).SetBit(new(big.Int), 1<<43, 1)", "reflect.MakeSlice(reflect.TypeFor[[]byte](), 0, 1<<40)", "rand.Perm(1<<40)",
		"reflect.New(reflect.ArrayOf(1<<40, reflect.TypeFor[byte]()))", "reflect.MakeChan(reflect.TypeFor[chan int](), 1<<40)",
		"reflect.MakeMapWithSize(reflect.TypeFor[map[int]int](), 1<<40)", "reflect.ValueOf(new([]int)).Elem().Grow(1<<40)",
		"image.NewRGBA(image.Rect(0, 0, 1<<20, 1<<20))", "image.NewGray(image.Rect(0, 0, 1<<20, 1<<20))", "slices.Grow([]int{}, 1<<40)", "slices.Repeat([]int{1}, 1<<40)",
		"make([]byte, 1<<40)", "make(chan [1<<10]byte, 1<<30)", "make(map[int]int, 1<<40)", "new([1<<40]byte)",
	} {
		_, err := r.session.Run(context.Background(), 1, src)
		assert.ErrorContains(t, err, "the limit is 4.29 GB", src)
	}
	assert.Equal(t, "2\n", r.Run(2, "1 + 1"))
}

// What those functions do that have others in their place is what they do in compiled Go.
func TestFunctionsInTheirPlace(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	for _, c := range [][2]string{
		{"import \"crypto/rand\"\nold := rand.Reader\nrand.Reader = strings.NewReader(strings.Repeat(`abcdefghijklmnop`, 9))\na := make([]byte, 4)\nn, err := rand.Read(a)\nt := rand.Text()\nrand.Reader = old\nn, err, string(a), t", "4 <nil> abcd FGHIJKLMNOPQBCDEFGHIJKLMNO\n"},
		{"debug.SetMaxThreads(5), debug.SetMaxThreads(10000)", "10000 5\n"},
		{"was := debug.SetMaxStack(1000)\ndebug.SetMaxStack(was)", "1000\n"},
		{"f := flag.NewFlagSet(`x`, flag.ExitOnError)\nv := f.Int(`v`, 1, ``)\nf.Parse([]string{`-v`, `7`, `rest`}), *v, f.Args(), f.ErrorHandling() == flag.ExitOnError, f.Parsed()", "<nil> 7 [rest] true true\n"},
		{"type N struct{ V int; Next *N }\nvar b bytes.Buffer\nshared := &N{V: 1}\ngob.NewEncoder(&b).Encode([]*N{shared, shared, {2, shared}}), b.Len() > 0", "<nil> true\n"},
		{"type P struct{ Up *P `xml:\"-\"`; Kids []*P; n *P }\np := &P{}\np.n, p.Kids = p, []*P{{Up: p}}\ntext, err := xml.Marshal(p)\nstring(text), err", "<P><Kids></Kids></P> <nil>\n"},
		{"var o sync.Once\ncount := 0\nfunc() { defer func() { recover() }(); o.Do(func() { count++; panic(1) }) }()\no.Do(func() { count++ })\ncount", "1\n"},
		{"h := http.Header{}\nh.Add(`a-b`, `1`)\nh.Add(`A-B`, `2`)\nh.Get(`a-B`), h.Values(`a-b`), h.Clone(), url.Values{`q`: {`x y`}}.Encode()", "1 [1 2] map[A-B:[1 2]] q=x+y\n"},
		{"q := new([3]int)\nruntime.SetFinalizer(q, func(*[3]int) {})\nruntime.SetFinalizer(q, nil)\nruntime.SetFinalizer(q, func(*[3]int) {})\nruntime.SetFinalizer(q, nil)\nstrings.Repeat(`ab`, 3), new(big.Int).Lsh(big.NewInt(3), 4), reflect.Zero(reflect.TypeFor[int]()).Int()", "ababab 48 0\n"},
		{"m := map[string]int{`b`: 1, `a`: 2}\ngo func() {}()\nfmt.Sprint(m), fmt.Sprintf(`%v %T`, m, m), fmt.Sprintf(`%p`, m) == fmt.Sprintf(`%[1]p`, m)", "map[a:2 b:1] map[a:2 b:1] map[string]int true\n"},
	} {
		assert.Equal(t, c[1], r.Run(1, c[0]), c[0])
	}
}
