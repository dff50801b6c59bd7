//go:build unix

package storage

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/require"
)

// killedSize is how many elements the file of a session has that is killed.
const killedSize = 20_000

// written is the places that step number g of a session of a seed writes g to, whether by a kernel, and whether it
// flushes afterwards.
func written(seed uint64, g int) (places []int64, kernel, flush bool) {
	r := rand.New(rand.NewPCG(seed, uint64(g)))
	kernel, flush = r.IntN(2) == 0, r.IntN(3) == 0
	lo, n := r.IntN(killedSize), 1+r.IntN(3000)
	step := 1
	if kernel {
		step = 1 + 2*r.IntN(500)
	}
	for i := range n {
		at := lo + i*step
		if !kernel && at >= killedSize {
			break
		}
		places = append(places, int64(at%killedSize))
	}
	return places, kernel, flush
}

// writeUntilKilled is the session that is killed: it says which step it has flushed.
func writeUntilKilled(dir string, seed uint64) error {
	var devices device.Registry
	devices.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	devices.Add("sim:tiny", func() (device.Device, error) { return simgpu.Open("sim:tiny") })
	rt, err := offload.New(&devices, "host")
	if err != nil {
		return err
	}
	lazy.Wiring{}.SetRuntime(rt)
	r := rand.New(rand.NewPCG(seed, 1))
	opts := []lazy.FileOption{
		lazy.Writable(), lazy.Backing(disk.Backings[r.IntN(4)]), lazy.CachePolicy(disk.Policies[r.IntN(4)]), lazy.LineBytes(512 << r.IntN(3)),
		lazy.CacheBytes(int64(1<<14 + r.IntN(1<<17))),
	}
	if r.IntN(2) == 0 {
		opts = append(opts, lazy.AsyncWriteback())
	}
	lazy.Use(small[r.IntN(2)])
	y, err := lazy.Open(filepath.Join(dir, "y.npy"), opts...)
	for g := 1; err == nil; g++ {
		places, kernel, flush := written(seed, g)
		if kernel {
			b := kir.NewBuilder("stamp")
			data, at, value := b.Param("data", kir.U64), b.Param("places", kir.U64), b.Int(kir.I64, int64(g))
			i := b.GlobalIDX()
			in, end := b.NewBlock("in"), b.NewBlock("end")
			b.Branch(b.Op(kir.OpLt, i, b.Int(kir.I64, int64(len(places)))), in, end)
			b.SetBlock(in)
			b.Store(kir.Global, b.Index(data, b.Load(kir.Global, kir.I64, b.Index(at, i, kir.I64)), kir.I64), value)
			b.Jump(end)
			b.SetBlock(end)
			b.Return()
			f, err := b.Func()
			if err != nil {
				return err
			}
			launch(f, len(places), []*lazy.Array{y, lazy.FromSlice(places, len(places))}, 0)
		} else {
			y.Set(g, lazy.S(int(places[0]), int(places[0])+len(places)))
		}
		if flush {
			if err = y.Flush(); err == nil {
				fmt.Println(g)
			}
		}
		if g%7 == 0 && err == nil {
			err = lazy.Save(filepath.Join(dir, "z.npy"), lazy.Full(lazy.Scalar(g), 30_000))
		}
	}
	return err
}

// TestKilled: of a session that is killed at any time, the file has all that was flushed, and nothing that was not
// written; what it saved is there whole. By each backing, with each policy, on the CPU and a simulated GPU.
func TestKilled(t *testing.T) {
	testdevices.Use(t)
	for seed := range asked(testsize.Seeds("tests/storage.TestKilled")) {
		dir, r := t.TempDir(), rand.New(rand.NewPCG(seed, 2))
		path := filepath.Join(dir, "y.npy")
		require.NoError(t, arrays.Save(path, arrays.Zeros(killedSize).AsType(arrays.Int64)))
		other := exec.Command(os.Args[0], "-test.run=^TestMain$")
		other.Env = append(os.Environ(), "STORAGE_WRITE="+dir, fmt.Sprint("STORAGE_SEED=", seed))
		out, err := other.StdoutPipe()
		require.NoError(t, err)
		var stacks bytes.Buffer
		other.Stderr = &stacks
		require.NoError(t, other.Start())
		hangs := time.AfterFunc(time.Minute, func() { _ = other.Process.Signal(syscall.SIGQUIT) })
		lines := bufio.NewReader(out)
		all := ""
		for range 1 + r.IntN(40) {
			line, err := lines.ReadString('\n')
			if err != nil {
				_ = other.Wait()
				require.NoError(t, err, "seed %d: %s%s\n%s", seed, all, line, &stacks)
			}
			all += line
			hangs.Reset(time.Minute)
		}
		hangs.Stop()
		time.Sleep(time.Duration(r.IntN(10_000)) * time.Microsecond)
		require.NoError(t, other.Process.Signal(syscall.SIGKILL))
		rest, err := io.ReadAll(lines)
		require.NoError(t, err)
		_ = other.Wait()
		told := strings.Fields(all + string(rest))
		flushed, err := strconv.Atoi(told[len(told)-1])
		require.NoError(t, err, all+string(rest))
		want := make([]int64, killedSize)
		for g := 1; g <= flushed; g++ {
			places, _, _ := written(seed, g)
			for _, k := range places {
				want[k] = int64(g)
			}
		}
		later := map[[2]int64]bool{} // what may be there of steps that were not flushed
		for g := flushed + 1; g < flushed+500; g++ {
			places, _, flush := written(seed, g)
			for _, k := range places {
				later[[2]int64{k, int64(g)}] = true
			}
			if flush && g > flushed+200 {
				break
			}
		}
		a, err := arrays.Load(path)
		require.NoError(t, err)
		for k, v := range a.Int64s() {
			if v != want[k] && !later[[2]int64{int64(k), v}] {
				require.Equal(t, want[k], v, "seed %d, element %d, flushed %d", seed, k, flushed)
			}
		}
		switch z, err := arrays.Load(filepath.Join(dir, "z.npy")); {
		case errors.Is(err, fs.ErrNotExist):
			require.Less(t, flushed, 8)
		default:
			require.NoError(t, err)
			require.Equal(t, 30_000, z.Size())
			require.Equal(t, z.Min().Int(), z.Max().Int())
			require.GreaterOrEqual(t, z.Max().Int(), (flushed-1)/7*7, "seed %d", seed)
		}
		t.Logf("seed %d: killed after step %d was flushed; the file has it", seed, flushed)
	}
}
