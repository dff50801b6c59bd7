package repl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// faultyFiles is a session of cells in a directory, in which files are not what they were, or were never right. Each
// line that it prints is what comes after "// " where it is printed; ... is any text.
const faultyFiles = `
import disk "github.com/arrayrepl/arrayrepl/offload/storage"
func try(f func()) { defer func() { fmt.Println(recover()) }(); f() }
func pick(data []float64, idx []int64, out []float64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = data[idx[i]]
	}
}
func stamp(data []float64) {
	if i := gpu.GlobalID(); i < len(data) {
		data[i] = -1
	}
}
const n = 200000
func file(name string, opts ...np.FileOption) *np.Array {
	np.Save(name, np.Arange(n).AsType(np.Float64))
	x, err := np.Open(name, opts...)
	if err != nil {
		panic(err)
	}
	return x
}
cut := file("cut.npy")
os.Truncate("cut.npy", 100000)
try(func() { out := np.Zeros(1); gpu.Launch(pick, 1, 32, cut, np.FromSlice([]int64{150000}), out); fmt.Println(out) }) // cut.npy cannot be read at byte 100000: another program has cut it short; open it again
try(func() { fmt.Println(cut.Sum()) }) // cut.npy cannot be read at byte 100000: another program has cut it short; open it again
try(func() { fmt.Println(np.Take(cut, []int{190000})) }) // cut.npy cannot be read at byte 100000: another program has cut it short; open it again
fmt.Println(np.Save("of cut.npy", cut.Mul(2))) // cut.npy cannot be read at byte 100000: another program has cut it short; open it again
_, err := os.Stat("of cut.npy")
fmt.Println(os.IsNotExist(err)) // true
gone := file("gone.npy")
os.Remove("gone.npy")
fmt.Println(gone.At(-1)) // 199999.0
other := file("other.npy")
np.Save("other.npy", np.Zeros(3))
fmt.Println(other.At(-1)) // 199999.0
var bad *disk.Faulty
ill := file("ill.npy", np.Behind(func(b disk.Backing) disk.Backing { bad = &disk.Faulty{Backing: b, Bad: 1 << 20}; return bad }))
bad.ReadError = syscall.EIO
try(func() { fmt.Println(ill.Sum()) }) // sum: ill.npy cannot be read at byte 1048576: input/output error
try(func() { out := np.Zeros(1); gpu.Launch(pick, 1, 32, ill, np.FromSlice([]int64{131060}), out); fmt.Println(out) }) // cell 3, line 3, column 16: kernel pick: thread (0) of block (0), data[idx[i]]: ...: ill.npy cannot be read at byte 1048576: input/output error
bad.Mend()
fmt.Println(ill.Sum()) // 19999900000.0
full := file("full.npy", np.Writable(), np.CacheBytes(1<<15), np.Behind(func(b disk.Backing) disk.Backing { bad = &disk.Faulty{Backing: b, Bad: 1 << 20}; return bad }))
bad.WriteError = syscall.ENOSPC
try(func() { gpu.Launch(stamp, gpu.Blocks(n, 256), 256, full); fmt.Println(full.Flush()) }) // cell 4, line 3, column 7: kernel stamp: thread ..., data[i]: store of 8 bytes ...: full.npy cannot be written at byte 1048576: no space left on device
try(func() { full.Set(5) }) // set: full.npy cannot be written at byte 1048576: no space left on device
bad.Mend()
_ = gpu.Launch(stamp, gpu.Blocks(n, 256), 256, full)
fmt.Println(full.Sum(), full.Flush()) // -200000.0 <nil>
driven := file("driven.npy", np.Drive("optane*2"), np.Behind(func(b disk.Backing) disk.Backing { bad = &disk.Faulty{Backing: b, Bad: 1 << 20}; return bad }))
bad.ReadError = syscall.EIO
try(func() { fmt.Println(driven.Sum()) }) // sum: driven.npy cannot be read at byte 1048576: input/output error
try(func() { out := np.Zeros(1); gpu.Launch(pick, 1, 32, driven, np.FromSlice([]int64{131060}), out); fmt.Println(out) }) // cell 3, line 3, column 16: kernel pick: thread (0) of block (0), data[idx[i]]: ...: driven.npy cannot be read at byte 1048576: input/output error
about, _ := driven.Storage()
bad.Mend()
fmt.Println(about.Cache.InUse, driven.Sum()) // 0 19999900000.0
late := file("late.npy", np.Writable(), np.AsyncWriteback(), np.CacheBytes(1<<15), np.Behind(func(b disk.Backing) disk.Backing { bad = &disk.Faulty{Backing: b, Bad: 1 << 20}; return bad }))
bad.WriteError = syscall.ENOSPC
_ = gpu.Launch(stamp, gpu.Blocks(n, 256), 256, late)
fmt.Println(late.Flush()) // late.npy cannot be written at byte 1048576: no space left on device
bad.Mend()
fmt.Println(late.Flush()) // <nil>
fmt.Println(late.Sum()) // -200000.0
grown := file("grown.npy")
more, _ := os.OpenFile("grown.npy", os.O_APPEND|os.O_WRONLY, 0)
_, _ = more.Write(make([]byte, 100))
more.Close()
try(func() { fmt.Println(grown.Sum()) }) // grown.npy cannot be used: another program has written to it since it was opened; open it again
fmt.Println(np.Save("/dev/full", np.Arange(10))) // write /dev/full: no space left on device
small := file("small.npy", np.LineBytes(512), np.CacheBytes(512))
few := np.Zeros(32)
_ = gpu.Launch(pick, 1, 32, small, np.Arange(32).Mul(5000), few)
fmt.Println(few.Sum()) // 2480000.0
_, err = np.Open("small.npy", np.LineBytes(256))
fmt.Println(err) // open: lines of 256 bytes: they are a power of two, from 512, a block of a disk, to 16777216
os.WriteFile("text.npy", []byte("hello"), 0600)
_, err = np.Open("text.npy")
fmt.Println(err) // open: text.npy: this is not a .npy file: it does not begin as one
_, err = np.Open(".")
fmt.Println(err) // open: . is a directory, not a file whose elements can be read in any order
none, _ := np.Create("none.npy", np.Float64, 0, 3)
one, _ := np.Create("one.npy", np.Float64)
fmt.Println(none.Sum(), one) // 0.0 0.0
mine, _ := np.Create("mine.npy", np.Float64, 1000)
out, _ := exec.Command(os.Getenv("ARRAYREPL"), "-e", "_, err := np.Open(\"mine.npy\", np.Writable()); fmt.Println(err)").Output()
fmt.Print(string(out)) // open: mine.npy cannot be written at byte 0: another session has it open for writing; close it there, or open it for reading
`

// TestFaultyFilesFromCells: what is wrong with a file is an error of the cell that names it and the byte, and the
// session goes on: cut, replaced and removed files, disks that refuse, caches that are too small, wrong headers, arrays
// without elements or axes, two sessions that write.
func TestFaultyFilesFromCells(t *testing.T) {
	testsize.InTurn(t, 1)
	dir := t.TempDir()
	script := filepath.Join(dir, "cells")
	require.NoError(t, os.WriteFile(script, []byte(faultyFiles), 0o600))
	in, err := os.Open(script)
	require.NoError(t, err)
	defer in.Close()
	cmd := exec.Command(binary)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Env = append(environment(dir), "ARRAYREPL="+binary)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	var want []string
	for line := range strings.Lines(faultyFiles) {
		if _, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " // "); ok {
			want = append(want, text)
		}
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, w := range want {
		if assert.Less(t, i, len(got), "nothing where there should be: %s", w) {
			parts := strings.Split(regexp.QuoteMeta(w), `\.\.\.`)
			assert.Regexp(t, "^"+strings.Join(parts, ".*")+"$", got[i])
		}
	}
	assert.Len(t, got, len(want), string(out))
	left, err := filepath.Glob(filepath.Join(dir, ".arrayrepl-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
