// Package corpus is the programs of gpu.Corpus: small kernels that stand for those on which papers compared ways to
// form, interleave and swap warps. They are compiled into the program that imports this package, which is why gpu does
// not import it: `import _ "github.com/arrayrepl/arrayrepl/gpu/corpus"`. Notebooks have it.
//
// Sizes fill the machines of those papers once or a few times and stay small, so that all programs replay under six
// policies in a minute. Data are always the same.
package corpus

//go:generate go run github.com/arrayrepl/arrayrepl/gpu/kernelgen
