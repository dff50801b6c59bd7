package symbols

import (
	"embed"
	"go/constant"
	"go/token"
	"io/fs"
	"sync"

	"github.com/goplus/ixgo"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols/internal/table"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

var once sync.Once

// Register makes the packages known to the engines. Call it before the first session is made; later calls do nothing.
func Register() {
	once.Do(func() {
		for _, f := range registerAll() {
			f()
		}
		yaegi.Wrappers(generatedWrappers)
		for _, p := range table.Packages {
			if len(p.Generic) == 0 {
				continue
			}
			text, err := genericFiles.ReadFile("generic/" + p.Name + ".go.txt")
			if err != nil {
				panic(err) // the folder is part of the binary
			}
			ixgo.RegisterPatch(p.Path, text)
		}
	})
}

// genericFiles has the texts of the files of table.Package.Generic.
//
//go:embed generic
var genericFiles embed.FS

// Packages returns the registered packages with the names that cells know them by, for [interp.Options].
func Packages() []interp.Package {
	var out []interp.Package
	for _, p := range table.Packages {
		if !p.Hidden {
			out = append(out, interp.Package{Name: p.Name, Path: p.Path})
		}
	}
	return out
}

// Arrays returns the packages on whose arrays cells can use operators, for [interp.Options].
func Arrays() []string {
	const module = "github.com/arrayrepl/arrayrepl/"
	return []string{module + "lazy", module + "arrays"}
}

//go:embed docs
var documented embed.FS

// Docs has the documentation of the registered packages, for [interp.Options].
func Docs() fs.FS {
	sub, err := fs.Sub(documented, "docs")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return sub
}

// number is a numeric constant as Go writes it.
func number(lit string, kind token.Token) constant.Value {
	return constant.MakeFromLiteral(lit, kind, 0)
}
