package scan

import "github.com/arrayrepl/arrayrepl/kir"

// withinSegments scans what the lanes of a warp have by segments, as Sengupta, Harris and Garland do by conditional
// indexing: x is a bool, whether a segment begins at the lane, and a state. A scan of maxima tells each lane where its
// segment begins; then a lane combines the state of the one that is d before it with its own if that lies within. These
// are the combinations that a scan of flags with states makes, and no others.
func (m *maker) withinSegments(at []*kir.Value, lane *kir.Value, x []*kir.Value) []*kir.Value {
	one := m.Int(kir.U32, 1)
	number := m.Op(kir.OpAdd, m.Convert(kir.U32, lane), one)
	start := m.Op(kir.OpSelect, x[0], number, m.Int(kir.U32, 0)) // 0 where no segment begins in the warp
	if !m.Form.Shuffles && m.starts == nil {
		m.starts = m.SharedArray("starts", kir.U32, m.Form.Threads)
	}
	for d := 1; d < kir.WarpSize; d *= 2 {
		var before *kir.Value // of a lane that is not behind its own
		if m.Form.Shuffles {
			before = m.shuffled([]*kir.Value{start}, d)[0]
		} else {
			m.Store(kir.Shared, m.Index(m.starts, m.tid, kir.U32), start)
			m.WarpBarrier(m.FullMask())
			from := m.Op(kir.OpSub, m.tid, m.Op(kir.OpMin, lane, m.num(d)))
			before = m.Load(kir.Shared, kir.U32, m.Index(m.starts, from, kir.U32))
			m.WarpBarrier(m.FullMask())
		}
		start = m.Op(kir.OpMax, start, before)
	}
	reach := m.Op(kir.OpSub, number, m.Op(kir.OpMax, start, one)) // how far back the segment goes
	state := x[1:]
	for d := 1; d < kir.WarpSize; d *= 2 {
		var before []*kir.Value
		if m.Form.Shuffles {
			before = m.shuffled(state, d)
		} else {
			m.put(at[1:], m.tid, state)
			m.WarpBarrier(m.FullMask())
		}
		state = m.where(m.Op(kir.OpGe, reach, m.Int(kir.U32, int64(d))), func() []*kir.Value {
			if before == nil {
				from := m.Op(kir.OpSub, m.tid, m.num(d))
				for k, v := range state {
					before = append(before, m.Load(kir.Shared, v.Type, m.Index(at[1+k], from, v.Type)))
				}
			}
			return m.Spec.Op.of.Combine(m.Builder, before, state)
		}, state)
		if !m.Form.Shuffles {
			m.WarpBarrier(m.FullMask())
		}
	}
	return append([]*kir.Value{m.Op(kir.OpGt, start, m.Int(kir.U32, 0))}, state...)
}
