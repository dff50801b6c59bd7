package offload

import "fmt"

// Binding is what the split types of one call's arguments and result stand for, after unification.
type Binding struct {
	Args     []SplitType // Broadcast for those that every piece gets whole
	Ret      SplitType
	Elements int  // that the call is cut into
	Split    bool // it can be cut
}

// Mismatch is an error: two arguments of one generic split type cannot be cut alike.
type Mismatch struct {
	Name   string // of the type
	First  string // what was there first, and what came then: "5 rows"
	Second string
}

func (m *Mismatch) Error() string {
	return "arguments of split type " + m.Name + " must be cut alike: one is " + m.First + ", another " + m.Second
}

// Piece is an argument for Unify: its split type when it is the result of a call that could stay split, or nil; and
// into how many elements its default type cuts it.
type Piece struct {
	Type       SplitType
	Elements   int
	Splittable bool
}

// Unify finds out what a's split types stand for in a call with these arguments. A generic type stands for that of the
// first argument that has one, or for def; all that share it must be cut into as many elements. A call some of whose
// arguments are not cut alike is not split: in the paper's words, the pipeline breaks there.
func (a *Annotation) Unify(args []Piece, def SplitType) (Binding, error) {
	b := Binding{Args: make([]SplitType, len(args)), Ret: a.Ret, Elements: -1}
	type bound struct {
		t SplitType
		n int
	}
	generics := make(map[string]bound)
	splittable, agree := !a.Whole, true
	for i, arg := range args {
		b.Args[i] = Broadcast
		if i >= len(a.Args) || a.Args[i].Type == nil || a.Args[i].Type == Broadcast {
			continue
		}
		t := a.Args[i].Type
		if !arg.Splittable && !IsGeneric(t) { // a number, a model: every piece gets it whole
			continue
		}
		if IsGeneric(t) {
			stands := arg.Type
			if stands == nil {
				stands = def
			}
			was, ok := generics[t.Name()]
			switch {
			case !ok:
				generics[t.Name()] = bound{stands, arg.Elements}
			case was.n != arg.Elements:
				return b, &Mismatch{t.Name(), describe(was.t, was.n), describe(stands, arg.Elements)}
			case was.t.Name() != stands.Name():
				agree = false
			}
			t = generics[t.Name()].t
		}
		b.Args[i] = t
		splittable = splittable && arg.Splittable
		if b.Elements >= 0 && b.Elements != arg.Elements {
			agree = false
		}
		b.Elements = max(b.Elements, arg.Elements)
	}
	if a.Ret != nil && IsGeneric(a.Ret) {
		b.Ret = def
		if g, ok := generics[a.Ret.Name()]; ok {
			b.Ret = g.t
		}
	}
	b.Split = splittable && agree && b.Elements > 1
	return b, nil
}

func describe(t SplitType, n int) string {
	return fmt.Sprintf("%d %s", n, t.Name())
}
