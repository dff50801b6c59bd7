package kir

import "github.com/arrayrepl/arrayrepl/internal/vector"

// wide holds the loops of package vector by the types of operand and result and by operation. They give the same bits as
// vectors and conversions but for the payloads of NaNs.
var wide = func() map[wideKey]*[8]vector.Func {
	types, ops := map[string]Type{}, map[string]Op{}
	for t := range numTypes {
		types[t.String()] = t
	}
	for o := range numOps {
		ops[o.String()] = o
	}
	m := map[wideKey]*[8]vector.Func{}
	loops := vector.Loops()
	for i := range loops {
		l := &loops[i]
		m[wideKey{ops[l.Op], types[l.Type], types[l.To]}] = &l.Forms
	}
	return m
}()

type wideKey struct {
	op  Op
	typ Type // of the first operand; of the second for OpSelect
	to  Type // of the result, for OpConvert
}

// wideOf returns the loops that compute v, or nil.
func wideOf(v *Value) *[8]vector.Func {
	if len(v.Args) == 0 {
		return nil
	}
	k := wideKey{op: v.Op, typ: v.Args[0].Type}
	switch v.Op {
	case OpSelect:
		k.typ = v.Type
	case OpConvert:
		k.to = v.Type
	}
	return wide[k]
}
