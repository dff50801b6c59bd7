package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	_ "github.com/arrayrepl/arrayrepl/arrays/arrow"  // Arrow files
	_ "github.com/arrayrepl/arrayrepl/arrays/images" // pictures
)

// digest is a short text that is the same for the same arrays.
func digest(named ...*arrays.Array) string {
	h := crc32.NewIEEE()
	text := ""
	for _, a := range named {
		if a.DType() == arrays.StringDType {
			for _, s := range a.Strings() {
				fmt.Fprintf(h, "%q", s)
			}
		} else {
			h.Write(a.Copy().Bytes())
		}
		text += fmt.Sprintf("%v %v ", a.DType(), a.Shape())
	}
	return fmt.Sprintf("%.60s %08x", text, h.Sum32())
}

func npyOf(a *arrays.Array) []byte {
	var b bytes.Buffer
	must(a.WriteNPY(&b))
	return b.Bytes()
}

// must ends the program where an input cannot be made: a fault of this program.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("an input cannot be made: %v", err))
	}
}

// npyHeader is a .npy file with that dictionary and those elements.
func npyHeader(dict string, elements []byte) []byte {
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(dict)))
	return append(append(b, dict...), elements...)
}

// shapes are those of headers that lie.
var shapes = []string{"(9223372036854775807,)", "(4294967296, 4294967296)", "(2147483648, 2147483648, 2)", "(3037000500, 3037000500)", "(-1,)", "(0, 9223372036854775807, 9223372036854775807)", "(18446744073709551616,)",
	"(1000000000000,)", "(" + strings.Repeat("1,", 10_000) + ")", "(2305843009213693952,)", "(1152921504606846977, 8)", "(1e9,)", "('a',)", "(True,)", "()", "(,)", "(1,,2)", "(3L,)"}

func npy() *format {
	return &format{
		name: "npy", base: 2 << 20, times: 64,
		seeds: func() []input {
			return []input{
				{name: "floats", ext: ".npy", data: npyOf(arrays.Linspace(0, 1, 12).Reshape(3, 4))},
				{name: "texts", ext: ".npy", data: npyOf(arrays.FromSlice([]string{"ab", "é", ""}))},
				{name: "dates", ext: ".npy", data: npyOf(arrays.FromSlice([]string{"2020-02-29"}).AsType(arrays.DateTime(arrays.Day)))},
				{name: "bools", ext: ".npy", data: npyOf(arrays.Arange(5).Greater(2))},
				{name: "big-endian", ext: ".npy", data: npyHeader("{'descr': '>c16', 'fortran_order': True, 'shape': (1, 2), }\n", make([]byte, 32))},
			}
		},
		special: func() (all []input) {
			for _, s := range shapes {
				for _, d := range []string{"<f8", "|u1", "<U1048576", "<M8[ns]"} {
					all = append(all, input{name: "shape " + s[:min(len(s), 50)] + " of " + d, ext: ".npy", data: npyHeader("{'descr': '"+d+"', 'fortran_order': False, 'shape': "+s+", }\n", make([]byte, 64))})
				}
			}
			for _, d := range []string{"<U99999999999999999999", "<U4294967295", "<U-1", "|S1000000000", "|O", "<f16", "<f0", "<f3", "<i9223372036854775808", "<M8[" + strings.Repeat("n", 60_000) + "]", "<V8", "f8", ""} {
				all = append(all, input{name: "dtype " + d[:min(len(d), 30)], must: fail, ext: ".npy", data: npyHeader("{'descr': '"+d+"', 'fortran_order': False, 'shape': (1,), }\n", make([]byte, 16))})
			}
			all = append(all,
				input{name: "a header of 4 GB", must: fail, ext: ".npy", data: []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'")},
				input{name: "a header that is nested", must: fail, ext: ".npy", data: npyHeader(strings.Repeat("(", 60_000), nil)},
				input{name: "version 255", must: fail, ext: ".npy", data: []byte("\x93NUMPY\xff\xff\x10\x00{}")},
				input{name: "an object", must: fail, ext: ".npy", data: npyHeader("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", make([]byte, 8))})
			return all
		},
		read: func(in input) (string, error) {
			a, err := arrays.ReadNPY(bytes.NewReader(in.data))
			if _, errFile := fromFile(in, loadNPY); (err == nil) != (errFile == nil) {
				return "", fmt.Errorf("ReadNPY says %v, and Load says %v: %w", err, errFile, errDisagree)
			}
			if err != nil {
				return "", err
			}
			return digest(a), nil
		},
		paths: loadNPY,
	}
}

// loadNPY reads by both ways of reading a file.
func loadNPY(path string) (string, error) {
	a, err := arrays.Load(path)
	if err != nil {
		return "", err
	}
	if m, err := arrays.MapNPY(path); err != nil || digest(m) != digest(a) {
		return "", fmt.Errorf("MapNPY says %v: %w", err, errDisagree)
	}
	return digest(a), nil
}

// fromFile writes an input and reads it.
func fromFile(in input, read func(path string) (string, error)) (string, error) {
	path, err := in.file()
	if err != nil {
		return "", err
	}
	return read(path)
}

// zipOf packs members in their order; a name may come twice.
func zipOf(method uint16, members ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
		must(err)
		_, err = io.WriteString(w, members[i+1])
		must(err)
	}
	must(z.Close())
	return b.Bytes()
}

func npz() *format {
	small := string(npyOf(arrays.Arange(5)))
	return &format{
		name: "npz", base: 2 << 20, times: 300, checked: true,
		seeds: func() []input {
			return []input{
				{name: "stored", ext: ".npz", data: zipOf(zip.Store, "x.npy", small, "y.npy", string(npyOf(arrays.Ones(2, 2))))},
				{name: "deflated", ext: ".npz", data: zipOf(zip.Deflate, "x.npy", small, "y.npy", string(npyOf(arrays.Ones(2, 2))))},
			}
		},
		special: func() []input {
			bomb := string(npyHeader("{'descr': '|u1', 'fortran_order': False, 'shape': (300000000,), }\n", make([]byte, 300_000_000)))
			return []input{
				{name: "two members of one name", ext: ".npz", must: fail, data: zipOf(zip.Store, "x.npy", small, "x.npy", small)},
				{name: "x and x.npy", ext: ".npz", must: fail, data: zipOf(zip.Store, "x.npy", small, "x", small)},
				{name: "names of other directories", ext: ".npz", data: zipOf(zip.Store, "../../x.npy", small, "/etc/y.npy", small, "a\x00b.npy", small)},
				{name: "a long name", ext: ".npz", data: zipOf(zip.Store, strings.Repeat("n", 65_000), "bad")},
				{name: "an escape in a name", ext: ".npz", must: fail, data: zipOf(zip.Store, "\x1b[31mred\n", "bad")},
				{name: "a name that is not UTF-8", ext: ".npz", must: fail, data: zipOf(zip.Store, "\xff\xfe", "bad")},
				{name: "a member that unpacks to 300 MB", ext: ".npz", must: fail, most: 8 << 20, data: zipOf(zip.Deflate, "x.npy", bomb)},
				{name: "10,000 members", ext: ".npz", must: fail, data: zipOf(zip.Store, strings.Split(strings.Repeat("x,,", 10_000), ",")[:20_000]...)},
				{name: "bytes behind the array", ext: ".npz", must: fail, data: zipOf(zip.Store, "x.npy", small+"more")},
				{name: "an archive in an archive", ext: ".npz", must: fail, data: zipOf(zip.Store, "x.npy", string(zipOf(zip.Store, "x.npy", small)))},
				{name: "no members", ext: ".npz", data: zipOf(zip.Store)},
			}
		},
		read:  func(in input) (string, error) { return fromFile(in, loadNPZ) },
		paths: loadNPZ,
	}
}

// loadNPZ's value are the arrays and not the names, over which zip has no checksum.
func loadNPZ(path string) (string, error) {
	all, err := arrays.LoadZ(path)
	if err != nil {
		return "", err
	}
	parts := map[string]int{}
	for _, a := range all {
		parts[digest(a)]++
	}
	return fmt.Sprint(parts), nil
}

func jsonArrays() *format {
	return &format{
		name: "json", base: 2 << 20, times: 200, text: true,
		seeds: func() []input {
			return []input{
				{name: "numbers", ext: ".json", data: []byte("[[1, 2.5, -3e-2],\n [4, null, 6]]\n")},
				{name: "texts", ext: ".json", data: []byte(`["a", "é\n\u00e9", null, ""]`)},
				{name: "bools", ext: ".json", data: []byte("[true, false]")},
			}
		},
		special: func() []input {
			return []input{
				{name: "found by this program: one long text among many", ext: ".json", must: succeed, data: []byte(`["` + strings.Repeat("n", 1_000_000) + `"` + strings.Repeat(`,""`, 500_000) + `]`)},
				{name: "a number of a million digits", ext: ".json", must: fail, data: []byte(`[` + strings.Repeat("9", 1_000_000) + `]`)},
				{name: "a long text among numbers", ext: ".json", must: fail, data: []byte(`[1, "` + strings.Repeat("x", 1_000_000) + `"]`)},
				{name: "an escape among numbers", ext: ".json", must: fail, data: []byte(`[1, "\u001b[31m"]`)},
				{name: "found by this program: a byte order mark", ext: ".json", must: succeed, data: []byte("\ufeff[1]")},
				{name: "found by this program: two values", ext: ".json", must: fail, data: []byte("[1] [2]")},
				{name: "a text that is not UTF-8", ext: ".json", data: []byte("[\"\xff\xfe\"]")},
				{name: "half a surrogate", ext: ".json", data: []byte(`["\ud800"]`)},
				{name: "many empty lists", ext: ".json", data: []byte("[" + strings.Repeat("[],", 300_000) + "[]]")},
				{name: "many objects", ext: ".json", must: fail, data: []byte("[" + strings.Repeat("{},", 300_000) + "{}]")},
				{name: "many zeros", ext: ".json", data: []byte("[" + strings.Repeat("0,", 300_000) + "0]")},
			}
		},
		read:  func(in input) (string, error) { return fromFile(in, loadJSON) },
		paths: loadJSON,
	}
}

func loadJSON(path string) (string, error) {
	a, err := arrays.LoadJSON(path)
	if err != nil {
		return "", err
	}
	return digest(a), nil
}

func packed(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	must(err)
	must(z.Close())
	return b.Bytes()
}

// packedTimes are that many million letters, a million packed at a time.
func packedTimes(letter string, millions int) []byte {
	return bytes.Repeat(packed([]byte(strings.Repeat(letter, 1_000_000))), millions)
}

func csvText() *format {
	return &format{
		name: "csv", base: 8 << 20, times: 400, text: true,
		seeds: func() []input {
			return []input{
				{name: "mixed", ext: ".csv", data: []byte("name,x,day,ok\nab,1.5,2020-02-29,true\n\"c,\"\"d\"\"\",2,2021-01-01,false\n")},
				{name: "numbers", ext: ".csv", data: []byte("# comment\n1,2\n3,NA\n,5e3\n")},
			}
		},
		special: func() []input {
			return []input{
				{name: "one long text among many", ext: ".csv", must: succeed, data: []byte("name,x\n" + strings.Repeat("n", 1_000_000) + ",1\n" + strings.Repeat("ab,1\n", 20_000))},
				{name: "a million columns", ext: ".csv", most: 1200 << 20, data: []byte(strings.Repeat("1,", 1_000_000) + "1\n")},
				{name: "a quote that never ends", ext: ".csv", must: fail, data: []byte("a,b\n\"" + strings.Repeat("x\n", 500_000))},
				{name: "many empty lines below many columns", ext: ".csv", data: []byte(strings.Repeat(",", 20_000) + "\n" + strings.Repeat("\n", 200_000))},
				{name: "two columns of one name", ext: ".csv", data: []byte("a,a\n1,2\n")},
				{name: "rows of other lengths", ext: ".csv", must: fail, data: []byte("1,2\n3\n")},
				{name: "an escape for a number", ext: ".csv", data: []byte("a,b\n1,\x1b[31m\n")},
			}
		},
		read:  func(in input) (string, error) { return fromFile(in, loadCSV) },
		paths: loadCSV,
	}
}

func csvPacked() *format {
	return &format{
		name: "csv.gz", base: 8 << 20, times: 400, checked: true,
		seeds: func() []input {
			return []input{{name: "numbers", ext: ".csv.gz", data: packed([]byte("1,2\n3,4\n5,6\n"))}}
		},
		special: func() []input {
			return []input{
				{name: "300 MB of empty lines", ext: ".csv.gz", most: 700 << 20, must: fail, data: packedTimes("\n", 300)},
				{name: "300 MB in one field", ext: ".csv.gz", most: 1600 << 20, must: fail, data: packedTimes("a", 300)},
				{name: "packed twice", ext: ".csv.gz", data: packed(packed([]byte("1,2\n")))},
				{name: "two packed texts", ext: ".csv.gz", must: succeed, data: append(packed([]byte("1,2\n")), packed([]byte("3,4\n"))...)},
				{name: "not packed", ext: ".csv.gz", must: fail, data: []byte("1,2\n")},
				{name: "zeros behind it", ext: ".csv.gz", must: succeed, data: append(packed([]byte("1,2\n")), make([]byte, 100)...)},
				{name: "bytes behind it", ext: ".csv.gz", must: fail, data: append(packed([]byte("1,2\n")), "more"...)},
			}
		},
		read: func(in input) (string, error) { return fromFile(in, loadCSV) },
	}
}

// loadCSV reads a table by its three readers.
func loadCSV(path string) (string, error) {
	_, _ = arrays.LoadCSV(path, arrays.Delimiter(' '), arrays.SkipLines(1))
	a, err := arrays.LoadCSV(path)
	if err == nil {
		return digest(a), nil
	}
	if why := unclear(err.Error()); why != "" {
		return "", err
	}
	_, columns, err := arrays.LoadTable(path)
	if err != nil {
		return "", err
	}
	return digest(columns...), nil
}

func arrow() *format {
	names, columns := []string{"x", "text", "day"}, []*arrays.Array{arrays.Linspace(0, 1, 5), arrays.FromSlice([]string{"a", "bc", "", "é", "e"}), arrays.Arange(5).AsType(arrays.DateTime(arrays.Day))}
	return &format{
		name: "arrow", base: 4 << 20, times: 300,
		seeds: func() []input {
			var stream bytes.Buffer
			must(arrays.WriteArrow(&stream, names, columns))
			all := []input{{name: "stream", ext: ".arrows", data: stream.Bytes()}, {name: "file", ext: ".arrow", data: arrowFile(names, columns)}}
			return append(all, readable(recorded("arrays/testdata/arrow", ".arrow", ".arrows", ".feather"))...)
		},
		read:  func(in input) (string, error) { return fromFile(in, loadArrow) },
		paths: loadArrow,
	}
}

func loadArrow(path string) (string, error) {
	_, columns, err := arrays.LoadArrow(path)
	if err != nil {
		return "", err
	}
	return digest(columns...), nil
}
