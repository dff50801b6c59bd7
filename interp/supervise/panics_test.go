package supervise_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/supervise"
)

// What Go prints after "panic: ", but for addresses and for values of composite types, of which Go prints the address.
func TestPanicMessages(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	for _, c := range []struct{ name, src, want string }{
		{"string", "panic(`boom`)", "boom"},
		{"number", "panic(42)", "42"},
		{"named number", "type Code int\npanic(Code(5))", "main.Code(5)"},
		{"named string", "type Word string\npanic(Word(`a\"b`))", `main.Word("a\"b")`},
		{"struct", "type T struct{ X int; S string }\npanic(T{1, `a`})", `main.T{X:1, S:"a"}`},
		{"pointer", "panic(new(int))", "(*int)(0x"},
		{"slice", "panic([]int{1, 2})", "[]int{1, 2}"},
		{"error", "panic(io.EOF)", "EOF"},
		{"stringer", "panic(3 * time.Second)", "3s"},
		{"contains itself", "loop := []any{1}\nloop[0] = loop\npanic(loop)", "contains itself"},
		{"printing what contains itself", "self := map[string]any{}\nself[`a`] = []any{self}\nfmt.Println(1, self)", "a value of type map[string]interface {} contains itself"},
		{"Error panics", "type E1 struct{ p *int }\nfunc (e E1) Error() string { return fmt.Sprint(*e.p) }\npanic(E1{})", "main.E1, whose text is not known: the method that makes it panicked"},
		{"Error never returns", "type E2 struct{}\nfunc (e E2) Error() string { for {} }\npanic(E2{})", "main.E2, whose text is not known: the method that makes it does not return"},
		{"Error calls itself", "type E3 struct{}\nfunc (e E3) Error() string { return fmt.Sprintf(`%v`, e) }\npanic(E3{})", "main.E3, whose text is not known: the method that makes it calls itself"},
		{"String exits", "type E4 struct{}\nfunc (e E4) String() string { runtime.Goexit(); return `` }\npanic(E4{})", "main.E4, whose text is not known: the method that makes it ended its goroutine"},
		{"GoString panics", "type E5 struct{}\nfunc (e E5) GoString() string { panic(1) }\npanic(E5{})", "%!v(PANIC=GoString method: 1)"},
		{"in a goroutine", "type E6 struct{}\nfunc (e E6) Error() string { for {} }\ngo func() { panic(E6{}) }()\ntime.Sleep(2 * time.Second)", "main.E6, whose text is not known"},
		{"nil", "panic(nil)", "panic called with nil argument"},
		{"index", "a := []int{}\na[len(a)]", "runtime error: index out of range [0] with length 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// a busy machine may need longer than the limit to fill a stack
			if strings.HasSuffix(c.want, "calls itself") {
				defer func(d time.Duration) { *supervise.DescribeTime = d }(*supervise.DescribeTime)
				*supervise.DescribeTime = time.Minute
			}
			_, err := r.session.Run(context.Background(), 1, c.src)
			var e *interp.Error
			if !errors.As(err, &e) || e.Kind != interp.Panic || !strings.HasPrefix(e.Message, c.want) && !(c.name == "contains itself" && strings.Contains(e.Message, c.want)) {
				t.Errorf("got %v, want the message %q", err, c.want)
			}
			if e != nil && strings.Count(e.Message, "runtime error") > 1 {
				t.Errorf("doubled: %s", e.Message)
			}
			if got := r.Run(2, "1 + 1"); got != "2\n" {
				t.Errorf("afterwards 1 + 1 is %q", got)
			}
		})
	}
}
