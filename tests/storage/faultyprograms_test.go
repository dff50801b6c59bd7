//go:build unix

package storage

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/stretchr/testify/require"
)

// programFile is a file of a random program.
type programFile struct {
	name     string
	disk     *disk.Faulty // nil where nothing goes wrong
	bytes    int64        // of the file
	driven   bool         // by SSDs that are modelled, whose commands fail as a whole
	writable bool
}

// openFile makes a file of a program, and the array of it.
func (p *program) openFile(dir string, seed uint64, a *arrays.Array, faults bool) *lazy.Array {
	r := p.r
	f := &programFile{name: fmt.Sprintf("%d.%d.npy", seed, len(p.files)), bytes: 128 + int64(a.NBytes()), driven: r.IntN(8) == 0, writable: r.IntN(2) == 0}
	path := filepath.Join(dir, f.name)
	require.NoError(p.t, arrays.Save(path, a))
	opts := []lazy.FileOption{
		lazy.Backing(disk.Backings[r.IntN(4)]), lazy.CachePolicy(disk.Policies[r.IntN(4)]), lazy.LineBytes(512 << r.IntN(4)),
		lazy.CacheBytes(int64(1<<15 + r.IntN(1<<17))), lazy.Access([]string{"lines", "stream"}[r.IntN(2)]),
	}
	if r.IntN(4) == 0 {
		opts = append(opts, lazy.Without([]string{"cache", "coalescing", "reuse"}[r.IntN(3)]))
	}
	if r.IntN(8) == 0 {
		opts = append(opts, lazy.Throttle(float64(50_000+r.IntN(200_000)), time.Duration(r.IntN(20))*time.Microsecond))
	}
	if faults {
		opts = append(opts, lazy.Behind(func(b disk.Backing) disk.Backing {
			f.disk = &disk.Faulty{Backing: b}
			return f.disk
		}))
	}
	if f.driven {
		opts = append(opts, lazy.Drive("optane*2"))
	}
	if f.writable {
		opts = append(opts, lazy.Writable())
		if r.IntN(2) == 0 {
			opts = append(opts, lazy.AsyncWriteback())
		}
	}
	x, err := lazy.Open(path, opts...)
	require.NoError(p.t, err)
	p.files = append(p.files, f)
	p.about += fmt.Sprintf(", %+v", *f)
	return x
}

// arm lets something go wrong with one of the files from now on, sometimes.
func (p *program) arm() {
	f, r := p.files[p.r.IntN(len(p.files))], p.r
	if f.disk == nil || r.IntN(4) == 0 {
		return
	}
	p.armed, f.disk.Bad, f.disk.Times = f, r.Int64N(f.bytes), r.IntN(3)
	switch r.IntN(5) {
	case 0:
		f.disk.ReadError = syscall.EIO
	case 1:
		f.disk.ReadError = io.EOF
	case 2:
		f.disk.WriteError = syscall.ENOSPC
	case 3:
		f.disk.ReadError, f.disk.WriteError = syscall.EIO, syscall.ENOSPC
	case 4:
		f.disk.Delay = time.Duration(r.IntN(50)) * time.Microsecond
	}
	p.about += fmt.Sprintf(" [%s: byte %d, %d times, %v, %v, %v]", f.name, f.disk.Bad, f.disk.Times, f.disk.ReadError, f.disk.WriteError, f.disk.Delay)
}

// mend ends it.
func (p *program) mend() {
	if f := p.armed; f != nil {
		f.disk.Mend()
		p.armed = nil
	}
}

// try does something while a disk may have a fault, and afterwards again where that has failed: an error names the
// file and the byte. undo, which may be nil, comes before.
func (p *program) try(do func() error, undo func()) error {
	p.t.Helper()
	p.arm()
	defer p.mend()
	err := do()
	if err == nil || errors.As(err, new(*offload.NotStreamed)) || p.armed == nil {
		return err
	}
	wrong := new(disk.Error)
	require.ErrorAs(p.t, err, &wrong, p.about)
	require.Contains(p.t, err.Error(), p.armed.name+" cannot be ", p.about)
	cause := p.armed.disk.ReadError
	if wrong.Write {
		cause = p.armed.disk.WriteError
	}
	if cause == io.EOF {
		cause = disk.ErrCut
	}
	require.ErrorIs(p.t, err, cause, p.about)
	if !p.armed.driven {
		require.Equal(p.t, p.armed.disk.Bad, wrong.Offset, p.about)
	}
	p.faults[fmt.Sprint(cause)]++
	p.mend()
	if undo != nil {
		undo()
	}
	return do()
}

// spoilt reports whether a launch that failed has left arrays without elements.
func (p *program) spoilt() bool {
	for _, x := range p.made[1][len(p.files):] {
		if err := panicOf(func() { lazy.Eval(x) }); err != nil && strings.Contains(err.Error(), "assign it anew") {
			return true
		}
	}
	return false
}

// rebuild makes anew what is made of files, where a launch has failed.
func (p *program) rebuild() {
	if !p.spoilt() {
		return
	}
	p.about += ", all anew"
	for i, again := range p.again {
		if again != nil {
			p.made[0][i], p.made[1][i] = again(0), again(1)
		}
	}
}

// writes change the first dimension's part of an array in place. The values do not depend on what they replace but
// where the name says so.
var writes = map[string]func(p *program, x, y *lazy.Array, k [3]int){
	"number": func(p *program, x, _ *lazy.Array, k [3]int) { x.Set(k[1], lazy.S(k[0]/2, k[0]+1, k[2]+1)) },
	"view": func(p *program, x, _ *lazy.Array, k [3]int) {
		x.At(lazy.S(k[0], lazy.End), lazy.S(lazy.End, k[1], -1)).Set(k[2])
	},
	"column": func(p *program, x, _ *lazy.Array, k [3]int) { x.T().At(k[1]).Set(lazy.Arange(p.rows).Mod(100)) },
	"rows": func(p *program, x, y *lazy.Array, k [3]int) {
		x.Set(y.At(lazy.S(0, p.rows-k[0])).AsType(x.DType()), lazy.S(k[0], lazy.End))
	},
	"all of itself, reversed": func(p *program, x, _ *lazy.Array, _ [3]int) { x.Set(x.At(lazy.S(lazy.End, lazy.End, -1))) },
	"mask":                    func(p *program, x, y *lazy.Array, k [3]int) { x.Set(k[1], y.Greater(k[2])) },
	"kernel": func(p *program, x, _ *lazy.Array, k [3]int) {
		m := p.rows * p.columns
		if !p.kernels {
			x.Set(7, lazy.S(0, 1))
			return
		}
		launch(guarded(p.t, "stamp", m/2, []string{"data"}, func(b *kir.Builder, i *kir.Value, a []*kir.Value) {
			at := b.Op(kir.OpRem, b.Op(kir.OpMul, i, b.Int(kir.I64, 2)), b.Int(kir.I64, int64(m))) // all different
			b.Store(kir.Global, b.Index(a[0], at, kir.F64), b.Const(kir.F64, float64(k[0])))
		}), m/2, []*lazy.Array{x}, 0)
	},
}

// write writes to one of the files, and to its twin in memory. Where that fails, each element is as before or as
// afterwards.
func (p *program) write() {
	t := p.t
	at := p.r.IntN(len(p.files))
	if !p.files[at].writable {
		return
	}
	all := names(writes)
	name, j, k := all[p.r.IntN(len(all))], p.r.IntN(len(p.made[0])), [3]int{p.r.IntN(p.rows), p.r.IntN(p.columns), p.r.IntN(4)}
	p.about += fmt.Sprintf(", %s of %d written to %d (%v)", name, j, at, k)
	x, twin := p.made[1][at], p.made[0][at]
	before := lazy.FromArray(twin.Copy().Array())
	small := func(f func()) func() error { // what a mask and unaligned parts need in memory is not what this is about
		return func() error {
			err := panicOf(f)
			if errors.As(err, new(*offload.NotStreamed)) {
				lazy.SetHostBudget(1 << 28)
				err = panicOf(f)
				lazy.SetHostBudget(p.budget)
			}
			return err
		}
	}
	writes[name](p, twin, p.made[0][j], k)
	after := twin.Copy().Array()
	torn := int64(0) // the byte up to which a write may have come, within an element
	err := p.try(small(func() {
		if p.armed != nil {
			torn = p.armed.disk.Bad - 128
		}
		writes[name](p, x, p.made[1][j], k)
		if p.r.IntN(3) == 0 {
			if err := x.Flush(); err != nil {
				panic(err)
			}
		}
	}), func() {
		var got *arrays.Array
		lazy.SetHostBudget(1 << 28)
		require.NoError(t, panicOf(func() { got = x.Copy().Array() }), p.about)
		was, now, is := before.Array().Bytes(), after.Bytes(), got.Bytes()
		for e, size := 0, int(after.DType().Size()); e < len(is); e += size {
			if e <= int(torn) && int(torn) < e+size {
				continue
			}
			if v := string(is[e : e+size]); v != string(was[e:e+size]) && v != string(now[e:e+size]) && !strings.Contains(name, "itself") {
				require.Fail(t, "an element is neither as before nor as afterwards", "%s: element %d", p.about, e/size)
			}
		}
		require.NoError(t, panicOf(func() { x.Set(before) }), p.about)
		lazy.SetHostBudget(p.budget)
		if p.spoilt() {
			twin.Set(before)
			p.rebuild()
			writes[name](p, twin, p.made[0][j], k)
		}
	})
	require.NoError(t, err, p.about)
	if p.r.IntN(3) == 0 { // or only what is computed of it later looks
		lazy.SetHostBudget(1 << 28)
		require.True(t, string(twin.Copy().Array().Bytes()) == string(x.Copy().Array().Bytes()), p.about)
		lazy.SetHostBudget(p.budget)
	}
}
