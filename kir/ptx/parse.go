package ptx

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Parse reads a PTX text and returns its kernels, in their order. Functions that kernels call become part of them. Its
// errors are *Error, which name the line and the instruction.
//
// Addresses without a memory space (ld.u32 and its like) belong to the space of the variable that they come from; where
// they come from no variable (from a parameter, from memory) they are global. Approximations (ex2.approx and others)
// are computed exactly. Of vote, shfl and bar only the forms of sm_70 and later are known.
func Parse(text string) (kernels []*kir.Func, err error) {
	defer func() {
		// Whatever a text holds, it must not end the program that reads it: kir's builder panics on operands of wrong
		// types.
		if e := recover(); e != nil {
			kernels, err = nil, &Error{Line: 1, Msg: fmt.Sprintf("the text cannot be read, by a fault of the reader: %v", e)}
		}
	}()
	return parse(text)
}

func parse(text string) (kernels []*kir.Func, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			kernels, err = nil, e
		default:
			panic(e)
		}
	}()
	u := &unit{globals: map[string]*variable{}, funcs: map[string]*function{}, files: map[string]string{}}
	r := &reader{tokens: scan(text), u: u, calls: map[sourceLine]sourceLine{}}
	r.module()
	for _, f := range u.entries {
		for _, in := range f.body {
			if n, ok := strings.CutPrefix(in.pos.File, "file "); ok {
				in.pos.File = u.files[n]
			}
		}
		k, err := lowerKernel(u, f)
		if err != nil {
			return nil, err
		}
		k.Source = func(p kir.Pos) string { return LineOf(text, p, "PTX") }
		kernels = append(kernels, k)
	}
	if len(kernels) == 0 {
		failAt(1, "", "the text has no kernel (.entry)")
	}
	return kernels, nil
}

// LineOf returns the line of a text at a place in the file of the given name; "" of a place elsewhere.
func LineOf(text string, p kir.Pos, file string) string {
	if p.File[strings.LastIndexAny(p.File, `/\`)+1:] != file || p.Line < 1 {
		return ""
	}
	for range p.Line - 1 {
		_, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return ""
		}
		text = rest
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}
