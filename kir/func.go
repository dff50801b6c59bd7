package kir

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unsafe"
)

// Func is a kernel. Blocks[0] is its entry; the other blocks are kept in reverse post-order, so that running the lowest
// numbered block that has waiting threads brings divergent threads together again where their paths join.
type Func struct {
	Name   string
	Params []Param
	Shared []Array // in a block's shared memory
	Local  []Array // in each thread's local memory
	Const  []Array // tables in constant memory, with Data or From
	Blocks []*Block

	Strings []string // texts of OpCheck, formats of OpPrintf
	Bounds  Bounds

	// Source returns the line of the program at a place, as a person wrote it; "" where it is not at hand. It may be
	// nil.
	Source func(Pos) string

	nextID int
}

// Param is one kernel parameter: a scalar, a device pointer (U64), or a block of Size bytes, such as a struct, whose
// Type is Void. Offset is its place in the packed buffer, in the order of the parameters, as the CUDA driver's launch
// buffer wants it: a scalar is aligned to its size.
type Param struct {
	Name   string
	Type   Type
	Offset int
	Size   int // in bytes, where Type is Void
	// Least and Most are what an integer lies between, both included, in each launch; both 0 where nothing is known.
	Least, Most int64
}

// Bytes returns the parameter's size.
func (p Param) Bytes() int {
	if p.Type == Void {
		return p.Size
	}
	return p.Type.Bytes()
}

// ParamBytes returns the length of the packed parameter buffer.
func (f *Func) ParamBytes() int {
	if len(f.Params) == 0 {
		return 0
	}
	last := f.Params[len(f.Params)-1]
	return last.Offset + last.Bytes()
}

// Array is an array in shared, local or constant memory, at byte Offset of its space. A shared array of length 0 is
// dynamic: it stands after all others, the launch says how many bytes it has (Launch.SharedBytes), and several dynamic
// ones share their place.
type Array struct {
	Name   string
	Elem   Type
	Len    int
	Offset int
	Data   []byte // of a table in constant memory: Len elements, little-endian
	// From is, of a table in constant memory without Data, one more than the number of the parameter that has the
	// address in global memory from which a launch takes what the table holds, before its first thread begins.
	From int
}

// MaxConst is the constant memory that a kernel can have, in bytes (CUDA C++ Programming Guide, technical
// specifications).
const MaxConst = 64 << 10

// Late returns the tables of f's constant memory that each launch fills.
func (f *Func) Late() (tables []Array) {
	for _, a := range f.Const {
		if a.From > 0 {
			tables = append(tables, a)
		}
	}
	return tables
}

// Constants returns what f's constant memory holds in a launch with the packed parameters: memory returns n bytes of
// global memory from an address on, or an error.
func (f *Func) Constants(params []byte, memory func(addr uint64, n int) ([]byte, error)) ([]byte, error) {
	words := make([]uint64, (f.ConstBytes()+7)/8) // so that all types are aligned
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))[:f.ConstBytes()]
	for _, a := range f.Const {
		from := a.Data
		if a.From > 0 {
			var err error
			if from, err = memory(binary.LittleEndian.Uint64(params[f.Params[a.From-1].Offset:]), a.Bytes()); err != nil {
				return nil, fmt.Errorf("kernel %s, constant table %s: %w", f.Name, a.Name, err)
			}
		}
		copy(data[a.Offset:], from)
	}
	return data, nil
}

// Bytes returns the array's size.
func (a Array) Bytes() int { return a.Elem.Bytes() * a.Len }

// SharedBytes returns the shared memory that a block needs for its static arrays, and for the gap before a dynamic one.
func (f *Func) SharedBytes() int { return bytesOf(f.Shared) }

// LocalBytes returns the local memory that a thread needs for its arrays.
func (f *Func) LocalBytes() int { return bytesOf(f.Local) }

// ConstBytes returns the size of the kernel's constant memory.
func (f *Func) ConstBytes() int { return bytesOf(f.Const) }

func bytesOf(arrays []Array) int {
	if len(arrays) == 0 {
		return 0
	}
	last := arrays[len(arrays)-1]
	return last.Offset + last.Bytes()
}

// OffsetBehind returns the place of an array behind the given ones, in bytes, at a multiple of align.
func OffsetBehind(arrays []Array, align int) int { return roundUp(bytesOf(arrays), align) }

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
	Any  bool   // of a TermBranch: threads for which Cond is false may go to To[0], too, without another result
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
	Imm   uint64 // as the Op's comment says: OpConst has the bits, memory operations a signed offset
	Space Space  // of memory operations
	// Vec is how many loads or stores, from this one on, make one vector access: 2 or 4, or 0 for an access of its own.
	// The others stand right behind, have the same address operand and space and elements of the same size, offsets
	// that grow by it, and Vec 0. The address of the first must be aligned to the whole. What the accesses do is what
	// they do without the mark.
	Vec    uint8
	Access Access // of loads and stores: what the order of others has to do with it
	Block  *Block
	Pos    Pos
	Note   string // what it is to a person: "x[i]", "sum"; may be empty

	Within Range // what is known of an integer from the launches of the kernel; opt.Optimize notes it while it works
}

// Access says how a load or store stands to others; all are carried out in the order of their block whatever it says,
// and passes may change what they do not forbid.
type Access uint8

// The accesses.
const (
	Ordinary Access = iota
	// a load of what nothing writes while the kernel runs: CUDA's const pointers with __restrict__, PTX's ld.global.nc
	Steady
	Volatile // no other access passes it, and what it brings is not known from before: CUDA's volatile
	// a load that leaves the cache of its SM as it is: what is read once does not push out what is read again. CUDA's
	// __ldcg, PTX's ld.global.cg
	Bypass
	// a load from global memory, and the store of its value to shared memory that stands behind it: one copy, which the
	// thread does not wait for until an OpCopyWait. What is there before that is not defined. PTX's cp.async
	Async
	// a volatile load in a loop that waits for what it brings: before it, a thread rests for a moment, so that those
	// which wait leave the machine to others. PTX's nanosleep and ld.volatile
	Polled
)

var accessNames = [...]string{"", "steady", "volatile", "bypass", "async", "polled"}

// IsVolatile reports whether no other access passes one of a.
func (a Access) IsVolatile() bool { return a == Volatile || a == Polled }

// CopiesAsync reports whether the first two of values are a copy that the thread does not wait for, see Async.
func CopiesAsync(values []*Value) bool {
	if len(values) < 2 {
		return false
	}
	from, to := values[0], values[1]
	return from.Op == OpLoad && from.Access == Async && from.Space == Global && from.Vec == 0 &&
		to.Op == OpStore && to.Access == Async && to.Space == Shared && to.Vec == 0 && to.Args[1] == from
}

// String returns "steady", "volatile", "bypass", "async" or "polled", or nothing.
func (a Access) String() string { return accessNames[a] }

// Pos is a position in the source that a kernel was made from. The zero Pos is unknown.
type Pos struct {
	File      string
	Line, Col int
}

// Line returns f's line of the program at a place, without the space around it, or "".
func (f *Func) Line(p Pos) string {
	if f.Source == nil || p.Line == 0 {
		return ""
	}
	return strings.TrimSpace(f.Source(p))
}

// Instructions returns the number of operations that a thread executes in blk: values but those that are free
// (Op.IsFree), and the branch at its end.
func (blk *Block) Instructions() int {
	n := 0
	for _, v := range blk.Values {
		if !v.Op.IsFree() {
			n++
		}
	}
	if blk.Term.Kind == TermBranch {
		n++
	}
	return n
}

// Renumber makes the IDs of the values dense, in their order.
func (f *Func) Renumber() {
	f.nextID = 0
	for _, blk := range f.Blocks {
		for _, vs := range [][]*Value{blk.Params, blk.Values} {
			for _, v := range vs {
				v.ID = f.nextID
				f.nextID++
			}
		}
	}
}

// NumValues returns a number that every value's ID is less than.
func (f *Func) NumValues() int { return f.nextID }

// NewID returns an ID that no value of f has, for a new one.
func (f *Func) NewID() int {
	f.nextID++
	return f.nextID - 1
}
