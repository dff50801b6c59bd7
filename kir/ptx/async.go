package ptx

import "github.com/arrayrepl/arrayrepl/kir"

// asyncSince is the compute capability from which on copies to shared memory need not be waited for. For older targets
// they are printed as loads and stores, as CUDA compiles them.
const asyncSince = 80

func (p *printer) copiesAsync() bool { return p.o.Target >= asyncSince }

// copyAsync lowers the forms of cp.async that Print writes.
func copyAsync(l *lowerer, in *inst) {
	switch {
	case !in.has("async"):
		unsupported(l, in)
	case in.has("commit_group"):
		l.b.CopyCommit()
	case in.has("wait_all"):
		l.b.CopyCommit()
		l.b.CopyWait(0)
	case in.has("wait_group"):
		in.arity(1)
		l.b.CopyWait(int(in.args[0].bits))
	case in.has("shared") && in.has("global") && len(in.args) == 3 && in.args[2].kind == 'i' && (in.args[2].bits == 4 || in.args[2].bits == 8):
		t := map[uint64]kir.Type{4: kir.U32, 8: kir.U64}[in.args[2].bits]
		to, toOff := l.address(in, in.args[0])
		from, fromOff := l.address(in, in.args[1])
		l.b.CopyAsync(t, to, from)
		values := l.b.Block().Values
		values[len(values)-2].Imm, values[len(values)-1].Imm = fromOff, toOff
	default:
		unsupported(l, in)
	}
}
