package storage

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// This file reads many small parts of a file at once. They are put into the order of the file, so that each line is
// read once, neighbouring lines by one command, and many commands are under way. Lines that nobody wants are not read:
// the counters of a cache say what was needed.

// Figures of such reads.
const (
	batchRows  = 1 << 21   // whose places are in memory at a time, in the order of the file
	batchBytes = 256 << 10 // that a command reads at most
	atOnce     = 24        // commands at most; see pace
	blockShift = 18        // of blocks of batchBytes, which are the lines where a cache is passed by
)

// InBatches reports whether ReadRows takes rows of so many bytes from at on.
func (s *Source) InBatches(at, row int64) bool {
	least := int64(LeastLine)
	if s.file != nil && s.file.options.Line != 0 {
		least = s.file.options.Line
	}
	return s.file != nil && row > 0 && row&(row-1) == 0 && row <= least && at%row == 0 && !s.file.options.Uncached
}

// ReadRows reads rows of so many bytes, by their numbers, from byte at on: to b, in the order of the numbers. byLines
// is whether through the source's cache, of so much room: lines that are there are not read, and what is read stays
// where the cache has room for all of it. InBatches must be true.
func (s *Source) ReadRows(ctx context.Context, b []byte, numbers []int64, at, row int64, byLines bool, room int64) error {
	r := &rows{source: s, ctx: ctx, b: b, row: row, shift: blockShift}
	if byLines {
		c, err := s.Cache(room)
		if err != nil {
			return err
		}
		r.cache, r.shift = c, c.shift
	}
	for _, c := range s.file.cached() { // lines are read past the cache
		if err := c.flushFile(s.at, s.size); err != nil {
			return err
		}
	}
	if a, ok := s.file.backing.(interface{ alignment() int64 }); ok {
		r.align = a.alignment()
	}
	for len(numbers) > 0 {
		n := min(len(numbers), batchRows)
		if err := r.batch(numbers[:n], at); err != nil {
			return err
		}
		numbers, r.b = numbers[n:], r.b[int64(n)*row:]
	}
	return nil
}

// rows is how rows are read.
type rows struct {
	source *Source
	ctx    context.Context
	cache  *Cache // nil: past it
	b      []byte
	row    int64
	shift  uint  // of lines
	align  int64 // that the file's backing has; 0 where it has none

	keep  bool     // the cache has room for all
	offs  []int64  // in the source, in the order of the file
	order []int32  // and the numbers of the rows there
	runs  []rowRun // what is read by a command each
}

// rowRun is lines that are read together, and the rows of them.
type rowRun struct {
	first, last int64
	lo, hi      int32
}

// batch reads some rows.
func (r *rows) batch(numbers []int64, at int64) error {
	r.sort(numbers, at)
	if err := r.plan(); err != nil {
		return err
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, min(atOnce, len(r.runs)))
	for k := range errs {
		wg.Go(func() {
			buffer, err := takeBounce()
			if err != nil {
				errs[k] = err
				return
			}
			defer giveBounce(buffer)
			for errs[k] == nil {
				i := int(next.Add(1) - 1)
				if i >= len(r.runs) {
					return
				}
				if errs[k] = r.ctx.Err(); errs[k] == nil {
					errs[k] = r.read(&r.runs[i], buffer.bytes)
				}
				if errs[k] != nil {
					next.Store(int64(len(r.runs)))
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sort finds where rows are, in the order of lines: by counting, where there are few lines.
func (r *rows) sort(numbers []int64, at int64) {
	n := len(numbers)
	if cap(r.offs) < n {
		r.offs, r.order = make([]int64, n), make([]int32, n)
	}
	r.offs, r.order = r.offs[:n], r.order[:n]
	lines := r.source.size>>r.shift + 1
	if lines > int64(4*n+1<<16) {
		type placed struct {
			off int64
			i   int32
		}
		all := make([]placed, n)
		for i, k := range numbers {
			all[i] = placed{at + k*r.row, int32(i)}
		}
		slices.SortFunc(all, func(a, b placed) int {
			if a.off < b.off {
				return -1
			} else if a.off > b.off {
				return 1
			}
			return 0
		})
		for k, p := range all {
			r.offs[k], r.order[k] = p.off, p.i
		}
		return
	}
	starts := make([]int32, lines+1)
	scale := uint(bits.TrailingZeros64(uint64(r.row)))
	for _, k := range numbers {
		starts[(at+k<<scale)>>r.shift+1]++
	}
	for i := range lines {
		starts[i+1] += starts[i]
	}
	for i, k := range numbers {
		off := at + k<<scale
		p := &starts[off>>r.shift]
		r.offs[*p], r.order[*p] = off, int32(i)
		*p++
	}
}

// plan makes the runs. Rows of lines that the cache has are had at once.
func (r *rows) plan() error {
	r.runs = r.runs[:0]
	most := max(batchBytes>>r.shift, 1)
	missing := 0
	for lo := 0; lo < len(r.offs); {
		line, hi := r.offs[lo]>>r.shift, lo+1
		for hi < len(r.offs) && r.offs[hi]>>r.shift == line {
			hi++
		}
		if r.cache != nil && r.cache.has(line) {
			if err := r.fromCache(line, lo, hi, nil); err != nil {
				return err
			}
			lo = hi
			continue
		}
		missing++
		if n := len(r.runs); n > 0 {
			if run := &r.runs[n-1]; int(run.hi) == lo && line-run.last == 1 && line-run.first < int64(most) {
				run.last, run.hi = line, int32(hi)
				lo = hi
				continue
			}
		}
		r.runs = append(r.runs, rowRun{line, line, int32(lo), int32(hi)})
		lo = hi
	}
	r.keep = r.cache != nil && missing <= len(r.cache.slots)
	return nil
}

// read reads a run by way of a buffer.
func (r *rows) read(run *rowRun, buffer []byte) error {
	f := r.source.file
	from, to := run.first<<r.shift, min((run.last+1)<<r.shift, r.source.size) // in the source
	lo, hi := r.source.at+from, r.source.at+to
	if r.align > 0 { // whole blocks come without a copy
		lo &^= r.align - 1
		if end := (hi + r.align - 1) &^ (r.align - 1); end <= f.Size() {
			hi = end
		}
	}
	if hi-lo > int64(len(buffer)) { // lines of more than the buffer
		buffer = make([]byte, hi-lo)
	}
	over := f.rows.begin(atOnce)
	_, err := f.read(buffer[:hi-lo], lo)
	if over(); err != nil {
		return err
	}
	b := buffer[r.source.at+from-lo:][:to-from]
	if r.source.decode != nil {
		r.source.decode(b)
	}
	c := r.cache
	if c == nil {
		r.scatter(b, from, int(run.lo), int(run.hi))
		return nil
	}
	c.count.readIOs.Add(run.last - run.first + 1)
	if !r.keep {
		n, lines := int64(run.hi-run.lo), int64(0)
		for k, last := int(run.lo), int64(-1); k < int(run.hi); k++ {
			if line := r.offs[k] >> r.shift; line != last {
				last = line
				lines++
				c.events.add("miss", line)
			}
		}
		c.count.probes.Add(lines)
		c.count.misses.Add(lines)
		c.count.hits.Add(n - lines)
		c.count.useful.Add(n * r.row)
		r.scatter(b, from, int(run.lo), int(run.hi))
		return nil
	}
	for k := int(run.lo); k < int(run.hi); {
		line, end := r.offs[k]>>r.shift, k+1
		for end < int(run.hi) && r.offs[end]>>r.shift == line {
			end++
		}
		off := line<<r.shift - from
		if err := r.fromCache(line, k, end, b[off:min(off+1<<r.shift, int64(len(b)))]); err != nil {
			return err
		}
		k = end
	}
	return nil
}

// fromCache takes rows from a line of the cache, of which the file has the content where it is not there.
func (r *rows) fromCache(line int64, lo, hi int, content []byte) error {
	p, read, err := r.cache.pin(line, 1, 1, false, content)
	if err != nil {
		r.cache.Count(1, 0, 0, 0, int(r.row))
		return err
	}
	misses := 0
	if read {
		misses = 1
	}
	r.cache.Count(1, hi-lo-misses, misses, 0, (hi-lo)*int(r.row))
	from := line << r.shift
	r.scatter(unsafe.Slice((*byte)(p), min(1<<r.shift, r.source.size-from)), from, lo, hi)
	r.cache.Release(line, 1, false)
	return nil
}

// scatter puts rows where they belong that are in b, which begins at a byte of the source.
func (r *rows) scatter(b []byte, from int64, lo, hi int) {
	if r.row == 8 {
		to := unsafe.Pointer(unsafe.SliceData(r.b))
		for k := lo; k < hi; k++ {
			*(*[8]byte)(unsafe.Add(to, int64(r.order[k])*8)) = [8]byte(b[r.offs[k]-from:])
		}
		return
	}
	for k := lo; k < hi; k++ {
		copy(r.b[int64(r.order[k])*r.row:][:r.row], b[r.offs[k]-from:])
	}
}
