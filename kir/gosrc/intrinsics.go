package gosrc

import "github.com/arrayrepl/arrayrepl/kir"

// gpuFuncs are the functions of package gpu that kernels call.
func gpuFuncs() map[string]intrinsic {
	m := map[string]intrinsic{
		"gpu.GlobalID": global(kir.CtaidX, kir.NTidX, kir.TidX),
		"gpu.GlobalX":  global(kir.CtaidX, kir.NTidX, kir.TidX),
		"gpu.GlobalY":  global(kir.CtaidY, kir.NTidY, kir.TidY),
		"gpu.GlobalZ":  global(kir.CtaidZ, kir.NTidZ, kir.TidZ),
		"gpu.GlobalSize": func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Convert(kir.I64, l.b.Op(kir.OpMul, l.b.Special(kir.NCtaidX), l.b.Special(kir.NTidX))))
		},
		"gpu.ThreadRank": func(l *lowerer, c *intrinsicCall) value {
			s, mul, add := l.b.Special, kir.OpMul, kir.OpAdd
			zy := l.b.Op(add, l.b.Op(mul, s(kir.TidZ), s(kir.NTidY)), s(kir.TidY))
			return plain(l.b.Convert(kir.I64, l.b.Op(add, l.b.Op(mul, zy, s(kir.NTidX)), s(kir.TidX))))
		},
		"gpu.Clock": func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Convert(kir.I64, l.b.Special(kir.Clock64)))
		},
		"gpu.Sync":        effect(func(l *lowerer) { l.b.Barrier() }),
		"gpu.SyncGrid":    effect(func(l *lowerer) { l.b.GridBarrier() }),
		"gpu.SyncCluster": effect(func(l *lowerer) { l.b.ClusterBarrier() }),
		"gpu.SharedOf":    sharedOf,
		"gpu.SyncWarp":    effect(func(l *lowerer) { l.b.WarpBarrier(l.b.FullMask()) }),
		"gpu.Fence":       effect(func(l *lowerer) { l.b.Fence(kir.DeviceScope) }),
		"gpu.FenceBlock":  effect(func(l *lowerer) { l.b.Fence(kir.BlockScope) }),
		"gpu.FenceSystem": effect(func(l *lowerer) { l.b.Fence(kir.SystemScope) }),
		"gpu.SyncCount": func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Convert(kir.I64, l.b.BarrierReduce(kir.OpBarrierCount, c.arg(0))))
		},
		"gpu.SyncAnd": func(l *lowerer, c *intrinsicCall) value { return plain(l.b.BarrierReduce(kir.OpBarrierAnd, c.arg(0))) },
		"gpu.SyncOr":  func(l *lowerer, c *intrinsicCall) value { return plain(l.b.BarrierReduce(kir.OpBarrierOr, c.arg(0))) },

		"gpu.Ballot":     vote(kir.OpBallot),
		"gpu.Any":        vote(kir.OpVoteAny),
		"gpu.All":        vote(kir.OpVoteAll),
		"gpu.ActiveMask": func(l *lowerer, c *intrinsicCall) value { return plain(l.b.ActiveMask()) },
		"gpu.MatchAny":   func(l *lowerer, c *intrinsicCall) value { return plain(l.b.MatchAny(l.wide(c.arg(0)), l.b.FullMask())) },

		"gpu.ShflIdx":  shuffle(kir.ShuffleIdx),
		"gpu.ShflUp":   shuffle(kir.ShuffleUp),
		"gpu.ShflDown": shuffle(kir.ShuffleDown),
		"gpu.ShflXor":  shuffle(kir.ShuffleXor),

		"gpu.AtomicAdd":  atomic(kir.OpAtomicAdd),
		"gpu.AtomicMin":  atomic(kir.OpAtomicMin),
		"gpu.AtomicMax":  atomic(kir.OpAtomicMax),
		"gpu.AtomicAnd":  atomic(kir.OpAtomicAnd),
		"gpu.AtomicOr":   atomic(kir.OpAtomicOr),
		"gpu.AtomicXor":  atomic(kir.OpAtomicXor),
		"gpu.AtomicExch": atomic(kir.OpAtomicExch),
		"gpu.AtomicCAS":  atomic(kir.OpAtomicCAS),
		"gpu.AtomicInc":  atomic(kir.OpAtomicInc),
		"gpu.AtomicDec":  atomic(kir.OpAtomicDec),

		"gpu.FMA": operation(kir.OpFma),

		"gpu.Expf": operation(kir.OpExp), "gpu.Exp2f": operation(kir.OpExp2), "gpu.Expm1f": operation(kir.OpExpm1), "gpu.Logf": operation(kir.OpLog),
		"gpu.Log2f": operation(kir.OpLog2), "gpu.Log10f": operation(kir.OpLog10), "gpu.Log1pf": operation(kir.OpLog1p), "gpu.Sinf": operation(kir.OpSin),
		"gpu.Cosf": operation(kir.OpCos), "gpu.Tanf": operation(kir.OpTan), "gpu.Tanhf": operation(kir.OpTanh), "gpu.Erff": operation(kir.OpErf),
		"gpu.Powf": operation(kir.OpPow), "gpu.Sqrtf": operation(kir.OpSqrt),
		"gpu.Rsqrtf": func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Op(kir.OpDiv, l.b.Const(kir.F32, 1), l.b.Op(kir.OpSqrt, c.arg(0))))
		},

		"gpu.Approximations.Rcp": approximation(kir.OpApproxRcp), "gpu.Approximations.Rsqrt": approximation(kir.OpApproxRsqrt),
		"gpu.Approximations.Sqrt": approximation(kir.OpApproxSqrt), "gpu.Approximations.Exp2": approximation(kir.OpApproxExp2),
		"gpu.Approximations.Log2": approximation(kir.OpApproxLog2), "gpu.Approximations.Sin": approximation(kir.OpApproxSin),
		"gpu.Approximations.Cos": approximation(kir.OpApproxCos),
		"gpu.Approximations.Div": func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Op(kir.OpMul, c.arg(1), l.b.Op(kir.OpApproxRcp, c.arg(2))))
		},

		"gpu.CopyAsync":     copyAsync,
		"gpu.ReadBlocks":    readBlocks,
		"gpu.CommitCopies":  effect(func(l *lowerer) { l.b.CopyCommit() }),
		"gpu.WaitCopies":    waitCopies,
		"gpu.Shared":        shared,
		"gpu.SharedDynamic": sharedDynamic,
		"gpu.Constant":      constantTable,
	}
	for _, name := range []string{"gpu.Printf", "gpu.TailLaunch", "gpu.FireAndForget", "gpu.Grid", "gpu.Block"} {
		m[name] = func(*lowerer, *intrinsicCall) value { panic("gosrc: callInstr makes what reads its arguments itself") }
	}
	for name, s := range map[string]kir.Special{
		"gpu.ThreadX": kir.TidX, "gpu.ThreadY": kir.TidY, "gpu.ThreadZ": kir.TidZ,
		"gpu.BlockX": kir.CtaidX, "gpu.BlockY": kir.CtaidY, "gpu.BlockZ": kir.CtaidZ,
		"gpu.BlockDimX": kir.NTidX, "gpu.BlockDimY": kir.NTidY, "gpu.BlockDimZ": kir.NTidZ,
		"gpu.GridDimX": kir.NCtaidX, "gpu.GridDimY": kir.NCtaidY, "gpu.GridDimZ": kir.NCtaidZ,
		"gpu.LaneID": kir.LaneID, "gpu.WarpID": kir.WarpID, "gpu.ClusterRank": kir.ClusterRank, "gpu.ClusterBlocks": kir.ClusterBlocks,
	} {
		m[name] = func(l *lowerer, c *intrinsicCall) value { return plain(l.b.Convert(kir.I64, l.b.Special(s))) }
	}
	return m
}

// approximation is a method of gpu.Approx, which is argument 0.
func approximation(op kir.Op) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value { return plain(l.b.Op(op, c.arg(1))) }
}

// global is a thread's place in the grid along one axis. A launch has fewer than 2^31 threads along each, so that 32
// bits hold it.
func global(block, size, thread kir.Special) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		i := l.b.Op(kir.OpAdd, l.b.Op(kir.OpMul, l.b.Special(block), l.b.Special(size)), l.b.Special(thread))
		return plain(l.b.Convert(kir.I64, i))
	}
}

func effect(f func(l *lowerer)) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		f(l)
		return nil
	}
}

func vote(op kir.Op) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value { return plain(l.b.Vote(op, c.arg(0), l.b.FullMask())) }
}

// wide returns x in at least 32 bits.
func (l *lowerer) wide(x *kir.Value) *kir.Value {
	if x.Type.Bytes() < 4 {
		return l.b.Convert(kir.U32, x)
	}
	return x
}

func shuffle(mode kir.ShuffleMode) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		s := kir.NewShuffle(mode, kir.WarpSize)
		lane := l.b.Convert(kir.U32, c.arg(1))
		out := make(value, len(c.args[0]))
		for i, p := range c.args[0] {
			if p.v == nil || p.org != nil {
				l.fail(c.instr.Pos(), "", "kernel code cannot shuffle a value of type %s", typeName(c.instr.Type()))
			}
			out[i].v = l.b.Shuffle(s, p.v, lane, l.b.FullMask())
		}
		return out
	}
}

func atomic(op kir.Op) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		p := c.args[0][0]
		if p.org != nil && p.org.root().space == kir.Const {
			l.fail(c.instr.Pos(), "use gpu.Shared, or an element of a slice", "kernel code cannot write to a table of gpu.Constant")
		}
		if p.org == nil || p.org.root().space == kir.Local {
			l.fail(c.instr.Pos(), "an atomic is for memory that threads share: an element of a slice, or of gpu.Shared", "this variable is the thread's own")
		}
		org := p.org.root()
		org.read, org.written = true, true
		var args []*kir.Value
		for i := range c.args[1:] {
			args = append(args, c.arg(i+1))
		}
		t := args[0].Type
		if t.Bytes() < 4 {
			l.fail(c.instr.Pos(), "use int32 or uint32", "there are no atomics on values of type %s", typeName(c.instr.Type()))
		}
		switch {
		case !t.IsFloat() || op == kir.OpAtomicAdd || op == kir.OpAtomicExch:
			v := l.b.Atomic(op, org.space, p.v, args...)
			v.Note = p.v.Note
			return plain(v)
		case op == kir.OpAtomicCAS:
			bits := kir.U32
			if t == kir.F64 {
				bits = kir.U64
			}
			return plain(l.b.Bitcast(t, l.b.Atomic(op, org.space, p.v, l.b.Bitcast(bits, args[0]), l.b.Bitcast(bits, args[1]))))
		case op == kir.OpAtomicMin || op == kir.OpAtomicMax:
			return plain(l.atomicFloat(op, org.space, p.v, args[0]))
		}
		l.fail(c.instr.Pos(), "", "there is no such atomic on values of type %s", typeName(c.instr.Type()))
		return nil
	}
}

// atomicFloat is a minimum or maximum of floats, for which devices have no instruction: a loop that exchanges the bits
// while nobody else has changed them.
func (l *lowerer) atomicFloat(op kir.Op, space kir.Space, addr, x *kir.Value) *kir.Value {
	bits, pick := kir.U32, kir.OpMin
	if x.Type == kir.F64 {
		bits = kir.U64
	}
	if op == kir.OpAtomicMax {
		pick = kir.OpMax
	}
	head, again, done := l.newBlock("atomic", bits), l.newBlock("atomic.try"), l.newBlock("atomic.end")
	head.loop = true
	l.jump(head, l.b.Load(space, bits, addr))
	l.setBlock(head)
	old := head.kb.Params[0]
	next := l.b.Bitcast(bits, l.b.Op(pick, l.b.Bitcast(x.Type, old), x))
	l.branch(l.b.Op(kir.OpEq, next, old), done, nil, again, nil)
	l.setBlock(again)
	seen := l.b.Atomic(kir.OpAtomicCAS, space, addr, old, next)
	end := l.newBlock("atomic.out", bits)
	retry := l.newBlock("atomic.retry")
	l.branch(l.b.Op(kir.OpEq, seen, old), end, []*kir.Value{old}, retry, nil)
	l.setBlock(retry)
	l.jump(head, seen)
	l.setBlock(done)
	l.jump(end, old)
	l.setBlock(end)
	return l.b.Bitcast(x.Type, end.kb.Params[0])
}

// copyAsync copies the bits of a number to shared memory.
func copyAsync(l *lowerer, c *intrinsicCall) value {
	to, from := c.args[0][0], c.args[1][0]
	if to.org == nil || to.org.root().space != kir.Shared {
		l.fail(c.instr.Pos(), "copy to an element of gpu.Shared", "kernel %s: gpu.CopyAsync copies to shared memory; its first argument is elsewhere", l.p.fn.Name())
	}
	if from.org == nil || from.org.root().known && from.org.root().space != kir.Global {
		l.fail(c.instr.Pos(), "copy an element of a slice that is a parameter", "kernel %s: gpu.CopyAsync copies from global memory; its second argument is elsewhere", l.p.fn.Name())
	}
	to.org.root().written, from.org.root().read = true, true
	bits := kir.U32
	if sizes.Sizeof(c.typeArg(0)) == 8 {
		bits = kir.U64
	}
	l.b.CopyAsync(bits, to.v, from.v)
	l.note(to.v.Note)
	values := l.b.Block().Values
	values[len(values)-2].Note = from.v.Note
	return nil
}

// readBlocks loads a number past caches.
func readBlocks(l *lowerer, c *intrinsicCall) value {
	from := c.args[0][0]
	if from.org == nil || from.org.root().known && from.org.root().space != kir.Global {
		l.fail(c.instr.Pos(), "read an element of a slice that is a parameter", "kernel %s: gpu.ReadBlocks reads global memory; its argument is elsewhere", l.p.fn.Name())
	}
	out := l.load(from, c.typeArg(0), c.instr.Pos())
	out[0].v.Access = kir.Bypass
	return out
}

func waitCopies(l *lowerer, c *intrinsicCall) value {
	n := c.arg(0)
	if n.Op != kir.OpConst || int64(n.Imm) < 0 {
		l.fail(c.instr.Pos(), "write it as a constant: gpu.WaitCopies(1)", "kernel %s: how many groups gpu.WaitCopies leaves is not known when the kernel is compiled, or negative", l.p.fn.Name())
	}
	l.b.CopyWait(int(n.Imm))
	return nil
}

// shared makes a block's array: one for each call in the text, as often as that is inlined.
func shared(l *lowerer, c *intrinsicCall) value {
	name := l.p.text[c.instr.Pos()]
	if name == "" {
		name = "shared"
	}
	addr, org := l.array(kir.Shared, name, c.typeArg(0), c.instr.Pos())
	return value{{v: addr, org: org}}
}

// sharedDynamic is the memory that the launch adds to a block's, as a slice.
func sharedDynamic(l *lowerer, c *intrinsicCall) value {
	t := c.typeArg(0)
	if _, err := inMemory(t); err != nil {
		l.fail(c.instr.Pos(), "", "kernel code cannot have %v", err)
	}
	if l.dynamic == nil {
		here := l.b.Block()
		l.b.SetBlock(l.entry)
		l.dynamic = l.b.DynamicShared("dynamic", kir.U64)
		l.b.SetBlock(here)
	}
	n := l.b.Op(kir.OpDiv, l.b.Special(kir.DynamicSharedBytes), l.b.Int(kir.U32, sizes.Sizeof(t)))
	length := l.b.Convert(kir.I64, n)
	return value{{v: l.dynamic, org: &origin{known: true, space: kir.Shared}}, {v: length}, {v: length}}
}

// constantTable is a table in constant memory, whose numbers are all known here.
func constantTable(l *lowerer, c *intrinsicCall) value {
	t, pos := c.typeArg(0), c.instr.Pos()
	ls, err := inMemory(t)
	if err != nil {
		l.fail(pos, "", "kernel code cannot have %v", err)
	}
	data := make([]byte, sizes.Sizeof(t))
	for i, leaf := range ls {
		v := c.args[0][i].v
		if v == nil || v.Op != kir.OpConst {
			l.fail(pos, "write its numbers as constants, or pass a slice to the kernel", "the table of gpu.Constant is not known when the kernel is compiled")
		}
		for j := range leaf.kind.Bytes() {
			data[int(leaf.off)+j] = byte(v.Imm >> (8 * j))
		}
	}
	name := l.p.text[pos]
	if name == "" {
		name = "constant"
	}
	if len(data) == 0 {
		l.fail(pos, "", "a table of type %s is empty", typeName(t))
	}
	return value{{v: l.b.ConstTable(name, unitOf(t), data), org: &origin{known: true, space: kir.Const}}}
}
