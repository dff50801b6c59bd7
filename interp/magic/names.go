package magic

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// names returns what cells have declared, sorted.
func (s *Session) names() (names []string, objs map[string]types.Object) {
	objs = s.Names()
	for name := range objs {
		if !strings.Contains(name, "·") && name != "_" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, objs
}

const nothingDeclared = "The cells have declared nothing yet.\n"

func who(c *Call) (display.Bundle, error) {
	names, _ := c.names()
	if len(names) == 0 {
		c.Printf(nothingDeclared)
		return display.Bundle{}, nil
	}
	width := 78
	if columns := display.CurrentScreen().Columns; columns > 0 {
		width = columns
	}
	line := ""
	for _, name := range names {
		if line != "" && utf8.RuneCountInString(line)+3+utf8.RuneCountInString(name) > width {
			c.Printf("%s\n", line)
			line = ""
		}
		if line != "" {
			line += "   "
		}
		line += name
	}
	c.Printf("%s\n", line)
	return display.Bundle{}, nil
}

func whos(c *Call) (display.Bundle, error) {
	names, objs := c.names()
	if len(names) == 0 {
		c.Printf(nothingDeclared)
		return display.Bundle{}, nil
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "NAME\tTYPE\tVALUE")
	for _, name := range names {
		what, value := c.describe(name, objs[name])
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, clip(what, 40), clip(value, 50))
	}
	w.Flush()
	for line := range strings.Lines(b.String()) {
		line = strings.TrimRight(line, " \n")
		if columns := display.CurrentScreen().Columns; columns > 0 {
			line = clip(line, columns)
		}
		c.Printf("%s\n", line)
	}
	return display.Bundle{}, nil
}

// describe says what a name is, and what it holds where that is short. It evaluates nothing and calls no method of the
// user's.
func (c *Call) describe(name string, obj types.Object) (what, value string) {
	switch obj := obj.(type) {
	case *types.Const:
		return c.TypeText(obj.Type()), "const " + obj.Val().String()
	case *types.TypeName:
		return "type", c.TypeText(obj.Type().Underlying())
	case *types.Func:
		return c.TypeText(obj.Type()), ""
	}
	what = c.TypeText(obj.Type())
	if v, ok := c.Value(name); ok {
		value = summary(v)
	}
	return what, value
}

// summary is a value in a few words.
func summary(v reflect.Value) (text string) {
	defer func() {
		if recover() != nil { // the value is being changed, or a method does not expect it
			text = ""
		}
	}()
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return "nil"
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return "nil"
		}
	}
	if a, ok := v.Interface().(interface{ Shape() []int }); ok {
		text = fmt.Sprint("shape ", a.Shape())
		if m := v.MethodByName("DType"); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 {
			text += fmt.Sprintf(", %v", m.Call(nil)[0])
		}
		return text
	}
	switch k := v.Kind(); k {
	case reflect.Pointer:
		if v = v.Elem(); v.Kind() == reflect.Struct || scalar(v.Kind()) {
			if text = summary(v); text != "" {
				return "&" + text
			}
		}
		return ""
	case reflect.String:
		return fmt.Sprintf("%q", clip(v.String(), 50))
	case reflect.Slice, reflect.Array, reflect.Map:
		text = fmt.Sprint("len ", v.Len())
		if k != reflect.Map && v.Len() <= 8 && scalar(v.Type().Elem().Kind()) {
			text += fmt.Sprintf(": %v", v)
		}
		return text
	case reflect.Chan:
		return fmt.Sprintf("%d of %d", v.Len(), v.Cap())
	case reflect.Struct:
		for i := range v.NumField() {
			if !scalar(v.Field(i).Kind()) {
				return ""
			}
		}
		return fmt.Sprintf("%+v", plainStruct{v})
	default:
		if scalar(k) {
			return fmt.Sprintf("%v", v)
		}
	}
	return ""
}

// plainStruct prints as a struct without methods.
type plainStruct struct{ v reflect.Value }

func (p plainStruct) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, "{")
	for i := range p.v.NumField() {
		if i > 0 {
			fmt.Fprint(f, " ")
		}
		fmt.Fprintf(f, "%s:%v", p.v.Type().Field(i).Name, p.v.Field(i))
	}
	fmt.Fprint(f, "}")
}

func scalar(k reflect.Kind) bool {
	return k == reflect.Bool || k == reflect.String || k >= reflect.Int && k <= reflect.Complex128
}

// clip cuts text to n characters of one line.
func clip(text string, n int) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

func del(c *Call) (display.Bundle, error) {
	names := strings.Fields(c.Arg)
	if len(names) == 0 {
		return display.Bundle{}, errors.New("it takes the names to forget")
	}
	for _, n := range names {
		if !c.Forget(n) {
			return display.Bundle{}, fmt.Errorf("no cell has declared %s", n)
		}
	}
	return display.Bundle{}, nil
}

// completeName proposes what cells have declared.
func completeName(s *Session, _ string) (out []interp.Match) {
	names, _ := s.names()
	for _, name := range names {
		out = append(out, interp.Match{Text: name, Type: "variable"})
	}
	return out
}

func reset(c *Call) (display.Bundle, error) {
	switch c.Arg {
	case "out", "-f out":
		c.ResetResults()
	case "", "-f":
		c.tellLeft(c.Reset())
	case "go.mod":
		c.Printf("Fetched modules stay, and what has been imported stays as it is. %%get MODULE@VERSION takes another version.\n")
	default:
		return display.Bundle{}, fmt.Errorf("it takes out or nothing, not %q", c.Arg)
	}
	return display.Bundle{}, nil
}
