// Command gen writes the elementary functions as kernels of kir, for package ptx to print as PTX functions: from their
// Go source in internal/elementary, which defines them for every back end.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"log"
	"os"
	"reflect"
	"runtime"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

func main() {
	log.SetFlags(0)
	pkg, err := load.Load(".", "github.com/arrayrepl/arrayrepl/internal/elementary")
	if err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	for _, f := range elementary.Functions {
		for _, v := range []struct {
			t kir.Type
			f any
		}{{kir.F32, either(f.Unary32, f.Binary32)}, {kir.F64, either(f.Unary, f.Binary)}} {
			k, err := compile(pkg, fmt.Sprintf("%s_%v", f.Name, v.t), v.f, v.t, f.Arity())
			if err != nil {
				log.Printf("%s_%v: %v", f.Name, v.t, err)
				continue
			}
			text.WriteString(k.String())
		}
	}
	for _, f := range elementary.Rounded {
		k, err := compile(pkg, f.Name+"_rounded", either(f.Unary, f.Binary), kir.F32, f.Arity())
		if err != nil {
			log.Fatalf("%s_rounded: %v", f.Name, err)
		}
		text.WriteString(k.String())
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Write([]byte(text.String())); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	log.Printf("%d bytes of text, %d compressed", text.Len(), out.Len())
	if err := os.WriteFile("elementary.kir.gz", out.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

func either(a, b any) any {
	if reflect.ValueOf(a).IsNil() {
		return b
	}
	return a
}

// compile makes the kernel name(x, out) or name(x, y, out) that stores f's result at out.
func compile(pkg *load.Package, name string, f any, t kir.Type, arity int) (*kir.Func, error) {
	full := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	fn, err := pkg.Func(full[strings.LastIndex(full, ".")+1:])
	if err != nil {
		return nil, err
	}
	inline, err := gosrc.NewInline(pkg.Source, fn, nil, gosrc.Options{Unchecked: true})
	if err != nil {
		return nil, err
	}
	b := kir.NewBuilder(name)
	var args []*kir.Value
	for _, p := range []string{"x", "y"}[:arity] {
		args = append(args, b.Param(p, t))
	}
	out := b.Param("out", kir.U64)
	y, err := inline.Emit(b, args...)
	if err != nil {
		return nil, err
	}
	b.Store(kir.Global, out, y)
	b.Return()
	k, err := b.Func()
	if err != nil {
		return nil, err
	}
	k = opt.Optimize(k)
	for _, blk := range k.Blocks {
		blk.Name = ""
		for _, v := range blk.Values {
			v.Note = ""
		}
	}
	return k, nil
}
