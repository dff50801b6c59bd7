package yaegi

import (
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/goplus/ixgo"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

type unsafePointer = unsafe.Pointer

// host returns the functions that programs call.
func (e *Engine) host() map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for name, f := range map[string]any{
		// what the front end writes into cells
		"Exit":        func() { e.hooks.Leave(e.trace) },
		"Show":        func(v ...any) { e.hooks.Show(shown(v)) },
		"Ignore":      func(v ...any) {},
		"Given":       func(n int, v any) any { return e.hooks.Given(n, bare(v)) },
		"OsExit":      func(n int) { e.hooks.Exit(fmt.Sprintf("os.Exit(%d)", n), e.trace) },
		"SyscallExit": func(n int) { e.hooks.Exit(fmt.Sprintf("syscall.Exit(%d)", n), e.trace) },
		"Goexit":      func() { e.hooks.Exit("runtime.Goexit", e.trace) },
		"BoolFlag":    func(id int) *bool { return e.pointers[id].(*bool) },
		"IntFlag":     func(id int) *int { return e.pointers[id].(*int) },
		"Line":        func() *int { return &e.line },
		"Top":         func() *int { return &e.top },
		// what a program makes known
		"Entry": func(f func()) { e.current.entry = f },
		"Var": func(id int, p any) {
			v := e.waiting[id]
			delete(e.waiting, id)
			e.current.vars[v] = reflect.ValueOf(p)
			e.addresses[reflect.ValueOf(p).Pointer()] = e.vars[v]
		},
		"Pointer": func(id int, p any) any { return e.pointer(id, p) },
		"Type":    func(id int, p any) { e.desc(id).rtype = reflect.TypeOf(p).Elem() },
		"MethodType": func(id int, p any) {
			e.mu.Lock()
			e.signs[id] = reflect.TypeOf(p).Elem()
			e.mu.Unlock()
		},
		"Method": func(id int, name string, f any) {
			e.mu.Lock()
			e.byID[id].methods[name] = reflect.ValueOf(f)
			e.mu.Unlock()
		},
		// values in interfaces
		"Box":   func(id int, x any) any { return Boxed{e.desc(id), x} },
		"Any":   func(x any) any { return x },
		"Bare":  bare,
		"Wrap":  func(id int, x any) any { return e.wrapFor(e.desc(id), x) },
		"Test":  func(id int, x any) (any, bool) { return e.test(e.desc(id), x) },
		"Must":  e.must,
		"Case":  e.findCase,
		"Find":  e.find,
		"As":    e.as,
		"Equal": func(a, b any) bool { return a == b },
		"NotNil": func(x any) {
			if x == nil {
				panic(nilPointer)
			}
		},
		// the language
		"Go":       e.goroutine,
		"Panic":    func(x any) { panic(e.panicValue(x)) },
		"Recover":  recovered,
		"Calls":    func() *calls { return new(calls) },
		"RunCalls": func(c *calls, body func()) { c.around(body) },
		"Defer":    func(c *calls, armed bool, f func()) { c.list = append(c.list, deferred{f, armed}) },
		"Caller":   caller,
		"Select":   choose,
		"Rune":     func(s string, at int) (rune, int) { return utf8.DecodeRuneInString(s[at:]) },
		"Address": func(path, name string) any {
			p, _ := ixgo.LookupPackage(path)
			return p.Vars[name].Interface()
		},
		"ShiftCount": func(n int64) uint64 {
			if n < 0 {
				panic(runtimeError("runtime error: negative shift amount"))
			}
			return uint64(n)
		},
		"Size":     size,
		"ClearMap": func(m any) { reflect.ValueOf(m).Clear() },
		"Min":      math.Min,
		"Max":      math.Max,
		// package unsafe
		"ToUnsafe":   toUnsafe,
		"FromUnsafe": func(id int, p unsafe.Pointer) any { return reflect.NewAt(e.desc(id).rtype.Elem(), p).Interface() },
		"UnsafeInt":  func(p unsafe.Pointer) uintptr { return uintptr(p) },
		"Sizeof":     func(p any) uintptr { return reflect.TypeOf(p).Elem().Size() },
		"Alignof":    func(p any) uintptr { return uintptr(reflect.TypeOf(p).Elem().Align()) },
		"UnsafeAdd": func(p unsafe.Pointer, n any) unsafe.Pointer {
			return unsafe.Add(p, reflect.ValueOf(n).Convert(reflect.TypeFor[int]()).Int())
		},
		"UnsafeString": func(p *byte, n any) string {
			return unsafe.String(p, reflect.ValueOf(n).Convert(reflect.TypeFor[int]()).Int())
		},
		"StringData": unsafeStringData,
		"UnsafeSlice": func(p, n any) any {
			return unsafeSlice(p, int(reflect.ValueOf(n).Convert(reflect.TypeFor[int]()).Int()))
		},
		"SliceData": func(s any) any {
			v := reflect.ValueOf(s)
			return reflect.NewAt(v.Type().Elem(), v.UnsafePointer()).Interface()
		},
		"Print":     func(v ...any) { fmt.Fprint(os.Stderr, v...) },
		"Println":   func(v ...any) { fmt.Fprintln(os.Stderr, v...) },
		"LateYield": func() { panic(runtimeError("range function continued iteration after loop body exit")) },
		"ShortSlice": func(n, want int) {
			panic(runtimeError(fmt.Sprintf("runtime error: cannot convert slice with length %d to array or pointer to array with length %d", n, want)))
		},
	} {
		out[name] = reflect.ValueOf(f)
	}
	return out
}

// pointer returns where a variable of the session's is. Its type is that of p, which points to another: the session
// knows a cell's value as boxed, and the variable is changed to what the cell can use.
func (e *Engine) pointer(id int, p any) any {
	v := e.externals[id]
	delete(e.externals, id)
	if reflect.TypeOf(p) != v.Addr.Type() {
		x := v.Addr.Elem().Interface()
		if own, ok := bare(x).(Boxed); ok {
			x = own.v
		}
		to := reflect.ValueOf(p)
		to.Elem().Set(valueFor(x, to.Type().Elem()))
		v.Addr = to
	}
	return v.Addr.Interface()
}

// toUnsafe converts a pointer, or an address, to an unsafe.Pointer.
func toUnsafe(x any) unsafe.Pointer {
	v := reflect.ValueOf(x)
	switch {
	case !v.IsValid():
		return nil
	case v.Kind() == reflect.Uintptr:
		u := v.Uint()
		return *(*unsafe.Pointer)(unsafe.Pointer(&u)) // the cell's own risk
	}
	return v.UnsafePointer()
}

func unsafeStringData(s string) *byte { return unsafe.StringData(s) }

func unsafeSlice(p any, n int) any {
	v := reflect.ValueOf(p)
	return reflect.SliceAt(v.Type().Elem(), v.UnsafePointer(), n).Interface()
}

func size(n any) int {
	v := reflect.ValueOf(n)
	if v.CanUint() {
		if v.Uint() > math.MaxInt {
			panic(runtimeError("runtime error: makeslice: len out of range"))
		}
		return int(v.Uint())
	}
	if v.Int() < 0 {
		panic(runtimeError("runtime error: makeslice: len out of range"))
	}
	return int(v.Int())
}

// choose runs a select statement. Each case is three arguments: whether it sends (nil for default), the channel, and
// the address of what is sent.
func choose(hasDefault bool, args ...any) (int, any, bool) {
	var cases []reflect.SelectCase
	for i := 0; i < len(args); i += 3 {
		switch sends := args[i]; sends {
		case nil:
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
		case true:
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(args[i+1]), Send: reflect.ValueOf(args[i+2]).Elem()})
		default:
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(args[i+1])})
		}
	}
	i, v, ok := reflect.Select(cases)
	if !v.IsValid() {
		return i, nil, false
	}
	return i, v.Interface(), ok
}

// flag returns the variable of programs that points to one of the front end's.
func (p *printer) flag(name string) string {
	addr := p.prog.Flags[name]
	if v, ok := p.flags[addr]; ok {
		return v
	}
	id := p.number()
	v := fmt.Sprint(letters(name), id)
	kind, get := "bool", "BoolFlag"
	if _, ok := addr.(*int); ok {
		kind, get = "int", "IntFlag"
	}
	p.flags[addr], p.pointers[id] = v, addr
	p.undo(func() { delete(p.flags, addr) })
	fmt.Fprintf(&p.decls, "var %s *%s\n", v, kind)
	fmt.Fprintf(&p.init, "%s = %s(%d)\n", v, p.host(get), id)
	return v
}

// celltest has the cells' t.
const celltest = "github.com/arrayrepl/arrayrepl/kernel/celltest"

// replacements returns the functions that a package has in cells in place of its own.
func (e *Engine) replacements(path string) map[string]any {
	none := func() []engine.Frame { return nil }
	switch path {
	case "fmt":
		return e.prints()
	case "time":
		return map[string]any{"Sleep": func(d time.Duration) { e.hooks.Sleep(d) }}
	case "os":
		return map[string]any{"Exit": func(n int) { e.hooks.Exit(fmt.Sprintf("os.Exit(%d)", n), none) }}
	case "syscall":
		return map[string]any{"Exit": func(n int) { e.hooks.Exit(fmt.Sprintf("syscall.Exit(%d)", n), none) }}
	case celltest:
		return map[string]any{"T": e.hooks.Externals[celltest+".T"]}
	case "runtime":
		return map[string]any{"Goexit": func() { e.hooks.Exit("runtime.Goexit", none) }}
	}
	return nil
}

var _ = runtime.Error(runtimeError(""))

// prints are fmt's functions, but for values without an end, what is to be evaluated, and the names of cells' types.
func (e *Engine) prints() map[string]any {
	all := func(a []any) []any { return e.printed("", a) }
	format := func(f string, a []any) (string, []any) {
		a = e.printed(f, a)
		return named(f, a)
	}
	return map[string]any{
		"Print":    func(a ...any) (int, error) { return fmt.Print(all(a)...) },
		"Println":  func(a ...any) (int, error) { return fmt.Println(all(a)...) },
		"Printf":   func(f string, a ...any) (int, error) { f, a = format(f, a); return fmt.Printf(f, a...) },
		"Sprint":   func(a ...any) string { return fmt.Sprint(all(a)...) },
		"Sprintln": func(a ...any) string { return fmt.Sprintln(all(a)...) },
		"Sprintf":  func(f string, a ...any) string { f, a = format(f, a); return fmt.Sprintf(f, a...) },
		"Errorf":   func(f string, a ...any) error { f, a = format(f, a); return fmt.Errorf(f, asErrors(f, a)...) },
		"Fprint":   func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(w, all(a)...) },
		"Fprintln": func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(w, all(a)...) },
		"Fprintf": func(w io.Writer, f string, a ...any) (int, error) {
			f, a = format(f, a)
			return fmt.Fprintf(w, f, a...)
		},
	}
}

// printed panics when a value has no end, or cannot be evaluated.
func (e *Engine) printed(format string, args []any) []any {
	plain := make([]any, len(args))
	for i, a := range args {
		if v, ok := a.(Boxed); ok {
			a = v.v
		}
		if display.Endless(a) {
			panic(fmt.Errorf("a value of type %s contains itself: its text has no end", TypeName(a)))
		}
		plain[i] = a
	}
	if e.hooks.Printing != nil {
		e.hooks.Printing(format, plain)
	}
	return args
}

// asErrors makes errors of cells' types errors for %w.
func asErrors(format string, args []any) []any {
	if !strings.Contains(format, "%w") {
		return args
	}
	out := append([]any(nil), args...)
	for i, a := range out {
		if v, ok := a.(Boxed); ok && v.has("Error") {
			if w, ok := wrap(reflect.TypeFor[error](), v); ok {
				out[i] = w
			}
		}
	}
	return out
}

// named replaces the verbs %T of cells' types by the names.
func named(format string, args []any) (string, []any) {
	if !strings.Contains(format, "T") {
		return format, args
	}
	var b strings.Builder
	out := append([]any(nil), args...)
	n := 0
	for i := 0; i < len(format); i++ {
		b.WriteByte(format[i])
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format); i++ {
			ch := format[i]
			if strings.IndexByte("+-# 0123456789.", ch) >= 0 {
				b.WriteByte(ch)
				continue
			}
			if ch == '*' {
				n++
				b.WriteByte(ch)
				continue
			}
			if ch == '[' {
				return format, args // explicit indexes: left to fmt
			}
			if ch == 'T' && n < len(out) {
				if v, ok := out[n].(Boxed); ok {
					out[n], ch = TypeName(v), 's'
				}
			}
			b.WriteByte(ch)
			if ch != '%' {
				n++
			}
			break
		}
	}
	return b.String(), out
}

// TypeName returns the name of the type of x, as %T prints it.
func TypeName(x any) string {
	if v, ok := x.(Boxed); ok {
		return typeinfo.TypeText(v.d.typ)
	}
	return fmt.Sprintf("%T", x)
}
