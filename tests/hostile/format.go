package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// format is a kind of input and its reader.
type format struct {
	name    string
	seeds   func() []input                 // good inputs, from which faults are made
	special func() []input                 // inputs that were thought of
	read    func(in input) (string, error) // the real reader; what it returns is the same for the same value
	// makes checksums right again after a fault, so that it gets behind them; nil for none
	repair  func(data []byte) []byte
	text    bool  // made of characters: faults of encodings and of nesting are tried
	checked bool  // has a checksum over all that counts
	base    int64 // bytes of memory that an input may take
	times   int64 // and how many more for each of its bytes
	// the reader of a file, tried with directories, devices and links; nil for none
	paths func(path string) (string, error)
	begin func() error // before the first case; nil for nothing
	share int          // of the random cases, one in so many; 0 is 1: for slow readers
}

// input is what a reader gets.
type input struct {
	name string
	data []byte
	ext  string // of the file that it is written to
	most int64  // bytes of memory that it may take, when that is not what the format says
	must want
	of   string                 // with unchanged: the name of the good input from which it was made
	same string                 // with unchanged: the value of that
	path func() (string, error) // makes what stands in a file's place, where it is not data
}

// want is what a reader must do with an input.
type want int

const (
	clear     want = iota // return a value, or a clear error
	fail                  // return a clear error
	succeed               // return a value
	unchanged             // return the value of the good input, or a clear error
)

// cases makes the inputs of a format: the good ones, random ones, and those special ones that are asked for.
func (f *format) cases(o options) []input {
	h := fnv.New64a()
	h.Write([]byte(f.name))
	seeds := f.seeds()
	var all []input
	for _, s := range seeds {
		s.must = succeed
		all = append(all, s)
	}
	if f.special != nil {
		all = append(all, f.special()...)
	}
	if f.text {
		for _, s := range seeds[:1] {
			all = append(all, encodings(s)...)
		}
	}
	for _, s := range seeds {
		all = append(all, f.cuts(s, 24)...)
	}
	n := o.cases
	if f.share > 0 {
		n = (n + f.share - 1) / f.share
	}
	for i := o.first; i < o.first+n; i++ {
		r := rand.New(rand.NewPCG(o.seed, h.Sum64()+uint64(i)))
		s := seeds[r.IntN(len(seeds))]
		in := f.random(r, s)
		in.name = fmt.Sprintf("%s, random %d: %s", s.name, i, in.name)
		all = append(all, in)
	}
	return all
}

// random makes one fault, or a few.
func (f *format) random(r *rand.Rand, s input) input {
	in := s
	in.data = append([]byte{}, s.data...)
	if len(in.data) == 0 {
		return in
	}
	if r.IntN(3) == 0 {
		bit := r.IntN(8 * len(in.data))
		in.data[bit/8] ^= 1 << (bit % 8)
		in.name = fmt.Sprintf("bit %d flipped", bit)
		if f.checked {
			in.must, in.of = unchanged, s.name
		}
	} else {
		in.name = ""
		for range 1 + r.IntN(3) {
			kinds := binaryFaults
			if f.text {
				kinds = textFaults
			}
			in.name += kinds[r.IntN(len(kinds))](r, &in.data) + "; "
			if len(in.data) == 0 {
				break
			}
		}
	}
	if f.repair != nil && r.IntN(4) != 0 {
		in.data, in.must = f.repair(in.data), clear
		in.name += ", checksums made right"
	}
	return in
}
