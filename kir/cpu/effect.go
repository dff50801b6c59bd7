package cpu

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maxPrinted bounds what one launch prints, in bytes, as the buffer of a device does.
const maxPrinted = 1 << 20

// check ends the run where the first operand is false.
func (w *worker) check(in *instr) bool {
	cond := &w.regs[in.args[0]]
	bad := int32(-1)
	if cond.uniform() {
		if cond.base == 0 {
			bad = w.list[0]
		}
	} else {
		p := lanes[uint8](cond.lanes(&w.extent), w.n)
		if len(w.list) == w.n && trues(p) == w.n {
			return true
		}
		for _, t := range w.list {
			if p[t] == 0 {
				bad = t
				break
			}
		}
	}
	if bad < 0 {
		return true
	}
	figure := func(i int) int64 { return lanes[int64](w.regs[in.args[i]].lanes(&w.extent), w.n)[bad] }
	w.err = w.p.f.CheckTrap(in.v, w.block(bad), w.thread(bad), figure(1), figure(2))
	return false
}

// printf prints for each thread of w.list. Kernels that print run their blocks one after another.
func (w *worker) printf(in *instr) bool {
	format := w.p.f.Strings[in.v.Imm]
	for _, t := range w.list {
		if w.printed == nil || *w.printed > maxPrinted {
			return true
		}
		var args []any
		for _, a := range in.v.Args {
			r := &w.regs[a.ID]
			args = append(args, goValue(r.typ, w.bits(r, t)))
		}
		text := fmt.Sprintf(format, args...)
		if *w.printed += len(text); *w.printed > maxPrinted {
			text = fmt.Sprintf("kernel %s printed more than %d bytes; the rest of the launch's output is left out\n", w.p.f.Name, maxPrinted)
		}
		if w.l.Output != nil {
			fmt.Fprint(w.l.Output, text)
		} else {
			fmt.Fprint(os.Stdout, text)
		}
	}
	return true
}

// bits returns the value of r for thread t.
func (w *worker) bits(r *reg, t int32) (x uint64) {
	b := lanes[byte](r.lanes(&w.extent), w.n*r.typ.Bytes())[int(t)*r.typ.Bytes():]
	for i := range r.typ.Bytes() {
		x |= uint64(b[i]) << (8 * i)
	}
	return x
}

// goValue returns bits as Go holds a value of type t; an F16 is a float32.
func goValue(t kir.Type, bits uint64) any {
	switch t {
	case kir.Bool:
		return bits != 0
	case kir.I8:
		return int8(bits)
	case kir.I16:
		return int16(bits)
	case kir.I32:
		return int32(bits)
	case kir.I64:
		return int64(bits)
	case kir.U8:
		return uint8(bits)
	case kir.U16:
		return uint16(bits)
	case kir.U32:
		return uint32(bits)
	case kir.F16:
		return float32(kir.HalfValue(uint16(bits)))
	case kir.F32:
		return math.Float32frombits(uint32(bits))
	case kir.F64:
		return math.Float64frombits(bits)
	}
	return bits
}

// clock reads a special register that counts.
func (w *worker) clock(in *instr) bool {
	x := uint64(w.work + w.works[0])
	if kir.Special(in.v.Imm) == kir.GlobalTimer {
		x = uint64(time.Now().UnixNano())
	}
	d := &w.regs[in.dst]
	if w.partial && !in.local {
		w.fillMasked(d, x)
	} else {
		d.setUniform(x)
	}
	return true
}
