package ixgo

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	_ "embed"
	"hash"
	"hash/maphash"
	"reflect"

	"github.com/goplus/ixgo"
	_ "github.com/goplus/ixgo/pkg/net/rpc"
	_ "github.com/goplus/ixgo/pkg/net/rpc/jsonrpc"
	_ "github.com/goplus/ixgo/pkg/testing/cryptotest"
	_ "github.com/goplus/ixgo/pkg/testing/fstest"
	_ "github.com/goplus/ixgo/pkg/testing/iotest"
	_ "github.com/goplus/ixgo/pkg/testing/quick"
	_ "github.com/goplus/ixgo/pkg/testing/slogtest"
	_ "github.com/goplus/ixgo/pkg/testing/synctest"
)

// The generic functions of the standard library that ixgo v1.1.1 lacks. They are interpreted, as all generic functions
// are; where the work is heavy or the library's own, they call an instance that is compiled.
var (
	//go:embed _patch/errors.go
	errorsPatch []byte
	//go:embed _patch/hkdf.go
	hkdfPatch []byte
	//go:embed _patch/maphash.go
	maphashPatch []byte
	//go:embed _patch/pbkdf2.go
	pbkdf2Patch []byte
	//go:embed _patch/reflect.go
	reflectPatch []byte
)

func init() {
	ixgo.RegisterPackage(&ixgo.Package{
		Name: "instances",
		Path: "internal/instances",
		Deps: map[string]string{"hash": "hash", "hash/maphash": "maphash"},
		Funcs: map[string]reflect.Value{
			"HKDFExpand":      reflect.ValueOf(hkdf.Expand[hash.Hash]),
			"HKDFExtract":     reflect.ValueOf(hkdf.Extract[hash.Hash]),
			"HKDFKey":         reflect.ValueOf(hkdf.Key[hash.Hash]),
			"PBKDF2Key":       reflect.ValueOf(pbkdf2.Key[hash.Hash]),
			"Comparable":      reflect.ValueOf(maphash.Comparable[any]),
			"WriteComparable": reflect.ValueOf(maphash.WriteComparable[any]),
		},
	})
	for path, src := range map[string][]byte{
		"errors": errorsPatch, "crypto/hkdf": hkdfPatch, "hash/maphash": maphashPatch, "crypto/pbkdf2": pbkdf2Patch, "reflect": reflectPatch,
	} {
		ixgo.RegisterPatch(path, src)
	}
}
