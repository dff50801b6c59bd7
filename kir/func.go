package kir

// Func is a kernel. Blocks[0] is its entry; the other blocks are kept in reverse post-order, so that running the lowest
// numbered block that has waiting threads brings divergent threads together again where their paths join.
type Func struct {
	Name   string
	Params []Param
	Shared []SharedArray
	Blocks []*Block

	nextID int
}

// Param is one kernel parameter: a scalar, or a device pointer (U64). Offset is its place in the packed buffer, aligned to
// its size, in the order of the parameters, as the CUDA driver's launch buffer wants it.
type Param struct {
	Name   string
	Type   Type
	Offset int
}

// ParamBytes returns the length of the packed parameter buffer.
func (f *Func) ParamBytes() int {
	if len(f.Params) == 0 {
		return 0
	}
	last := f.Params[len(f.Params)-1]
	return last.Offset + last.Type.Bytes()
}

// SharedArray is a statically sized array in a block's shared memory, at byte Offset.
type SharedArray struct {
	Name   string
	Elem   Type
	Len    int
	Offset int
}

// SharedBytes returns the shared memory that a block needs for its static arrays.
func (f *Func) SharedBytes() int {
	if len(f.Shared) == 0 {
		return 0
	}
	last := f.Shared[len(f.Shared)-1]
	return last.Offset + last.Elem.Bytes()*last.Len
}

// Block is a basic block: parameters, values in order, and how it ends.
type Block struct {
	ID     int // its index in Func.Blocks
	Name   string
	Params []*Value // OpArg values, bound by the edges that lead here
	Values []*Value
	Term   Term
}

// TermKind is how a block ends.
type TermKind uint8

// The ends of a block.
const (
	TermNone   TermKind = iota // not ended yet; Verify refuses it
	TermJump                   // to To[0]
	TermBranch                 // to To[0] where Cond is true, else to To[1]
	TermReturn                 // the thread is done
)

// Term ends a block.
type Term struct {
	Kind TermKind
	Cond *Value // Bool, for TermBranch
	To   [2]Edge
	Pos  Pos
}

// Edges returns the edges that leave a block that ends in t.
func (t *Term) Edges() []Edge {
	switch t.Kind {
	case TermJump:
		return t.To[:1]
	case TermBranch:
		return t.To[:2]
	}
	return nil
}

// Edge is a way to a block, with a value for each of its parameters. The values are taken all at once.
type Edge struct {
	To   *Block
	Args []*Value
}

// Value is one operation and its result.
type Value struct {
	ID    int // unique in its Func; dense from 0
	Op    Op
	Type  Type
	Args  []*Value
	Imm   uint64 // OpConst: the bits; OpParam, OpSpecial, OpShared, OpArg: the number
	Space Space  // OpLoad, OpStore
	Block *Block
	Pos   Pos
	Note  string // what it is to a person: "x[i]", "sum"; may be empty
}

// Pos is a position in the source that a kernel was made from. The zero Pos is unknown.
type Pos struct {
	File      string
	Line, Col int
}
