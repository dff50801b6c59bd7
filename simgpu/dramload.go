package simgpu

// dramLoad is how much longer a read of DRAM takes the more is asked of it, which begins well before it is full: banks
// are busy with others, and reads wait while writes are done. Rates that were measured with more and more loads in
// flight (gpu-stream of [E]) give latencies by Little's law, which grow with the square of the load: on A100 and H200
// within a fifth of that from a quarter of the full rate on.
type dramLoad struct {
	full, turns int64 // cycles at full load, and more where half of it is writes
	most        int64 // sectors that all channels move in a window
	from        int64 // cycle in which the window began
	reads       int64 // sectors, of this window
	writes      int64
	wait        int64 // cycles that a read takes more
}

// loadWindow is in cycles: about as long as an access takes.
const loadWindow = 1024

func newDRAMLoad(p *Preset, channels int, channelTime int64) dramLoad {
	return dramLoad{full: int64(p.DRAMLoaded), turns: int64(p.DRAMTurns), most: max(1, loadWindow*ticks*int64(channels)/max(1, channelTime))}
}

// note counts a sector that is asked for at cycle at.
func (l *dramLoad) note(at int64, write bool) {
	if l.full+l.turns == 0 {
		return
	}
	if at >= l.from+loadWindow {
		l.next(at)
	}
	if write {
		l.writes++
	} else {
		l.reads++
	}
}

// next begins the window of cycle at. What a read waits follows from the two windows before it about alike.
func (l *dramLoad) next(at int64) {
	const one = 1 << 10
	was := int64(0)
	if n := l.reads + l.writes; n > 0 && at < l.from+2*loadWindow {
		load := min(one, n*one/l.most)
		mixed := 4 * l.reads * l.writes * one / (n * n)
		was = load * load / one * (l.full + l.turns*mixed/one) / one
	}
	l.wait = (l.wait + was) / 2
	l.from, l.reads, l.writes = at-at%loadWindow, 0, 0
}
