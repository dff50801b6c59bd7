package cpu

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/tensor"
	"github.com/arrayrepl/arrayrepl/kir"
)

// maskOf returns the mask operand of a warp operation in which lanes meet, or nil.
func maskOf(v *kir.Value) *kir.Value {
	if !v.Op.IsWarp() || v.Op == kir.OpActiveMask {
		return nil
	}
	return v.Args[len(v.Args)-1]
}

func sameMask(a, b *kir.Value) bool {
	return a == b || a != nil && b != nil && a.Op == kir.OpConst && b.Op == kir.OpConst && a.Imm == b.Imm
}

// eachWarp calls do for the lanes of each warp of list: first is the number of the warp's lane 0, here its lanes in the
// list.
func (w *worker) eachWarp(list []int32, do func(first int, here uint32, lanes []int32)) {
	for len(list) > 0 {
		first := int(list[0]) &^ (kir.WarpSize - 1)
		here, n := uint32(0), 0
		for n < len(list) && int(list[n]) < first+kir.WarpSize {
			here |= 1 << (int(list[n]) - first)
			n++
		}
		do(first, here, list[:n])
		list = list[n:]
	}
}

// meet takes the threads of w.list, and those that wait there, to the warp operation at the head of c. The threads
// whose masks' other lanes are all there become w.list; the rest waits. It reports whether any can go on.
func (w *worker) meet(c *code) bool {
	id := c.blk.ID
	if w.stalled.lists[id] != nil {
		w.put(&w.stalled, id, w.list)
		w.list = w.stalled.lists[id]
		w.stalled.lists[id] = nil
		w.stalled.count--
	}
	mask := &w.regs[c.mask]
	if len(w.list) == w.live && mask.uniform() && uint32(mask.base) == ^uint32(0) {
		return true
	}
	masks := lanes[uint32](mask.lanes(&w.extent), w.n)
	going, staying := w.take(), w.take()
	w.eachWarp(w.list, func(first int, here uint32, list []int32) {
		live := w.alive[first/kir.WarpSize]
		for _, t := range list {
			lane := int(t) - first
			m := masks[t]
			if m>>lane&1 == 0 {
				w.warpError(c.meet, t, fmt.Sprintf("its mask %#x does not name it, lane %d of its warp", m, lane))
				return
			}
			ready := m&live&^here == 0
			for rest := m & live & here; rest != 0; rest &= rest - 1 {
				if l := bits.TrailingZeros32(rest); masks[first+l] != m {
					w.warpError(c.meet, t, fmt.Sprintf("its mask is %#x, that of lane %d, which it names, is %#x", m, l, masks[first+l]))
					return
				}
			}
			if ready {
				going = append(going, t)
			} else {
				staying = append(staying, t)
			}
		}
	})
	if w.err != nil {
		return false
	}
	w.release(w.list)
	if len(staying) > 0 {
		w.put(&w.stalled, id, staying)
	} else {
		w.release(staying)
	}
	w.list = going
	if len(going) == 0 {
		w.release(going)
		return false
	}
	return true
}

// retry lets threads that wait at operations of their warps try again, since others have returned in the meantime. When
// none have, nobody can go on: w.err says so.
func (w *worker) retry() bool {
	for i, list := range w.stalled.lists {
		if list == nil {
			continue
		}
		if w.live == w.retried {
			t := list[0]
			first := int(t) &^ (kir.WarpSize - 1)
			m := lanes[uint32](w.regs[w.p.code[i].mask].lanes(&w.extent), w.n)[t] & w.alive[first/kir.WarpSize]
			for _, u := range list {
				if int(u) >= first && int(u) < first+kir.WarpSize {
					m &^= 1 << (int(u) - first)
				}
			}
			w.warpError(w.p.code[i].meet, t, fmt.Sprintf("it waits for lane %d of its warp, which its mask names and which never comes here",
				bits.TrailingZeros32(m)))
			return false
		}
		w.stalled.lists[i] = nil
		w.put(&w.ready, i, list)
	}
	w.stalled.count, w.retried = 0, w.live
	return true
}

func (w *worker) warpError(v *kir.Value, t int32, msg string) {
	if w.err == nil {
		w.err = &kir.WarpError{Kernel: w.p.f.Name, Block: w.block(t), Thread: w.thread(t), Value: v, Msg: msg}
	}
}

// warp executes an operation of a warp for the threads of w.list, who have met.
func (w *worker) warp(in *instr) bool {
	if in.op == kir.OpWarpBarrier {
		return true
	}
	d := &w.regs[in.dst]
	if in.op == kir.OpActiveMask {
		z := lanes[uint32](d.lanes(&w.extent), w.n)
		w.eachWarp(w.list, func(_ int, here uint32, list []int32) {
			for _, t := range list {
				z[t] = here
			}
		})
		d.setLanes()
		return true
	}
	if in.op == kir.OpMMA {
		return w.mma(in, d)
	}
	x := &w.regs[in.args[0]]
	if in.op == kir.OpShuffle && w.shuffleAll(in, d, x) {
		return true
	}
	masks := lanes[uint32](w.regs[in.args[in.nargs-1]].lanes(&w.extent), w.n)
	px, pz := x.lanes(&w.extent), d.lanes(&w.extent)
	switch in.op {
	case kir.OpShuffle:
		from, to, by := lanes[uint32](px, w.n), lanes[uint32](pz, w.n), lanes[uint32](w.regs[in.args[1]].lanes(&w.extent), w.n)
		s := kir.ShuffleOf(in.v.Imm)
		listener, _ := w.rec.(LaneRecorder)
		for _, t := range w.list {
			lane := int(t) & (kir.WarpSize - 1)
			first := int(t) - lane
			source, _ := s.Source(lane, by[t])
			if listener != nil && w.alive[first/kir.WarpSize]>>source&1 == 0 {
				listener.NoLane(in.v, t, source)
			}
			if (masks[t]&w.alive[first/kir.WarpSize])>>source&1 == 0 {
				source = lane
			}
			to[t] = from[first+source]
		}
	case kir.OpMatchAny:
		for _, t := range w.list {
			lane := int(t) & (kir.WarpSize - 1)
			first := int(t) - lane
			m := uint32(0)
			for rest := masks[t] & w.alive[first/kir.WarpSize]; rest != 0; rest &= rest - 1 {
				l := bits.TrailingZeros32(rest)
				same := false
				if x.typ.Bytes() == 8 {
					same = lanes[uint64](px, w.n)[first+l] == lanes[uint64](px, w.n)[t]
				} else {
					same = lanes[uint32](px, w.n)[first+l] == lanes[uint32](px, w.n)[t]
				}
				if same {
					m |= 1 << l
				}
			}
			lanes[uint32](pz, w.n)[t] = m
		}
	case kir.OpWarpReduce:
		from, to := lanes[uint32](px, w.n), lanes[uint32](pz, w.n)
		r := kir.Reduction(in.v.Imm)
		w.eachWarp(w.list, func(first int, here uint32, list []int32) {
			var done, mask, result uint32 // lanes of one mask come together
			for _, t := range list {
				if m := masks[t] & here; done>>(int(t)-first)&1 == 0 || m != mask {
					mask = m
					result = from[first+bits.TrailingZeros32(m)]
					for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
						result = r.Of(in.v.Type, result, from[first+bits.TrailingZeros32(rest)])
					}
					done |= m
				}
				to[t] = result
			}
		})
	default: // votes
		p := lanes[uint8](px, w.n)
		w.eachWarp(w.list, func(first int, here uint32, list []int32) {
			yes := uint32(0)
			for _, t := range list {
				yes |= uint32(p[t]) << (int(t) - first)
			}
			for _, t := range list {
				m := masks[t] & here
				switch in.op {
				case kir.OpBallot:
					lanes[uint32](pz, w.n)[t] = yes & m
				case kir.OpVoteAny:
					lanes[uint8](pz, w.n)[t] = bit(yes&m != 0)
				case kir.OpVoteAll:
					lanes[uint8](pz, w.n)[t] = bit(yes&m == m)
				}
			}
		})
	}
	d.setLanes()
	return true
}

// mma executes a product of matrices, of which all lanes of a warp have parts.
func (w *worker) mma(in *instr, d *reg) bool {
	i, shape := kir.MMAOf(in.v.Imm)
	form := shape.Form()
	var from [6][]uint32
	for n, a := range in.v.Args[:form.A+form.B] {
		from[n] = lanes[uint32](w.regs[a.ID].lanes(&w.extent), w.n)
	}
	c := lanes[float32](w.regs[in.v.Args[kir.MMASum(in.v.Imm)].ID].lanes(&w.extent), w.n)
	z := lanes[float32](d.lanes(&w.extent), w.n)
	w.eachWarp(w.list, func(first int, here uint32, list []int32) {
		if here != ^uint32(0) {
			w.warpError(in.v, list[0], "a product of matrices takes all lanes of a warp, of which some have ended, or are ones that the block does not have")
			return
		}
		var all [kir.WarpSize]kir.MatrixLane
		var room [2][tensor.MostDepth]float64
		for l := range all {
			for n := range form.A {
				all[l].A[n] = from[n][first+l]
			}
			for n := range form.B {
				all[l].B[n] = from[form.A+n][first+l]
			}
		}
		for l := range all {
			x, y := shape.MatrixFactors(&all, l, i, &room)
			z[first+l] = tensor.Dot(c[first+l], x, y)
		}
	})
	d.setLanes()
	return w.err == nil
}

// shuffleAll executes a shuffle in which whole warps take part, by the same lane or distance in all threads, and
// reports whether it was one.
func (w *worker) shuffleAll(in *instr, d, x *reg) bool {
	by, mask := &w.regs[in.args[1]], &w.regs[in.args[2]]
	if len(w.list) != w.n || w.n%kir.WarpSize != 0 || !by.uniform() || !mask.uniform() || uint32(mask.base) != ^uint32(0) {
		return false
	}
	s := kir.ShuffleOf(in.v.Imm)
	var source [kir.WarpSize]int
	for lane := range source {
		source[lane], _ = s.Source(lane, uint32(by.base))
	}
	values := x.lanes(&w.extent)
	if s == kir.NewShuffle(kir.ShuffleXor, kir.WarpSize) && exchange(int(by.base), w.n, d.home, values) {
		d.p = d.home
		d.setLanes()
		return true
	}
	from, to := lanes[uint32](values, w.n), lanes[uint32](d.home, w.n)
	for first := 0; first < w.n; first += kir.WarpSize {
		f, t := (*[kir.WarpSize]uint32)(from[first:]), (*[kir.WarpSize]uint32)(to[first:])
		for lane, at := range source {
			t[lane] = f[at&(kir.WarpSize-1)]
		}
	}
	d.p = d.home
	d.setLanes()
	return true
}

// exchange lets each lane have what the lane has whose number differs in one bit, by: blocks of so many lanes change
// places with their neighbours, as the reductions of a warp have it. It returns false where that is not what by says.
func exchange(by, n int, d, a unsafe.Pointer) bool {
	switch by {
	case 1:
		turned[uint32](n, d, a)
	case 2:
		turned[[2]uint32](n/2, d, a)
	case 4:
		turned[[4]uint32](n/4, d, a)
	case 8:
		turned[[8]uint32](n/8, d, a)
	case 16:
		turned[[16]uint32](n/16, d, a)
	default:
		return false
	}
	return true
}

// turned writes each two neighbours of the n at a to d, the second first.
func turned[B any](n int, d, a unsafe.Pointer) {
	from, to := lanes[B](a, n), lanes[B](d, n)
	for i := 1; i < len(from) && i < len(to); i += 2 {
		to[i-1], to[i] = from[i], from[i-1]
	}
}
