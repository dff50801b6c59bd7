package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/sparse"
	"github.com/arrayrepl/arrayrepl/lazy/frames"
	"github.com/arrayrepl/arrayrepl/offload"
)

// loadTable reads a table as arrays and as a frame, which must both read it, or neither.
func loadTable(path string) (string, error) {
	names, columns, err := arrays.LoadTable(path)
	_, errFrame := frames.Read(path)
	if (err == nil) != (errFrame == nil) {
		return "", fmt.Errorf("LoadTable says %v, and frames.Read says %v: %w", err, errFrame, errDisagree)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.80q ", names) + digest(columns...), nil
}

// npyRecords are .npy files of structured arrays.
func npyRecords() *format {
	file := func(fields, shape string, bytes int) []byte {
		return npyHeader("{'descr': "+fields+", 'fortran_order': False, 'shape': "+shape+", }\n", make([]byte, bytes))
	}
	simple := "[('id', '<i4'), ('x', '>f8'), ('name', '<U3'), ('ok', '|b1')]"
	return &format{
		name: "npy.records", base: 2 << 20, times: 300,
		seeds: func() []input {
			return []input{
				{name: "records", ext: ".npy", data: file(simple, "(3,)", 3*25)},
				{name: "with a gap", ext: ".npy", data: file("[('a', '>u2'), ('', '|V4'), ('d', '<M8[s]'), ('s', '|S5')]", "(2,)", 2*19)},
			}
		},
		special: func() (all []input) {
			for _, s := range shapes {
				all = append(all, input{name: "shape " + s[:min(len(s), 50)], ext: ".npy", data: file(simple, s, 64)})
			}
			for _, f := range []string{"[]", "[()]", "[('a',)]", "[('a', '|O')]", "[('a', '<f8'), ('a', '<f8')]", "[('a', '<f8', (0,))]", "[('a', '<f8', (-1,))]", "[('a', '<f8', (9223372036854775807, 4))]", "[('a', '<U1073741824'), ('b', '<U1073741824')]",
				"[('" + strings.Repeat("n", 9000) + "', '<f8')]", "[(('title', 'a'), '<f8')]", "[('\x1b[31m', '<f8')]", strings.Repeat("[('a', ", 1000) + "'<f8'" + strings.Repeat(")]", 1000), "[('a', [])]", "[('a', [('b', '<i2'), ('c', '<f4')]), ('v', '<f8', (2,))]", "[('a', '|V0')]", "[" + strings.Repeat("('a', '|u1'), ", 600) + "]"} {
				all = append(all, input{name: "fields " + f[:min(len(f), 40)], ext: ".npy", data: file(f, "(1,)", 64)})
			}
			return all
		},
		read:  func(in input) (string, error) { return fromFile(in, loadTable) },
		paths: loadTable,
	}
}

func jsonRecords() *format {
	return &format{
		name: "json.records", base: 4 << 20, times: 400, text: true,
		seeds: func() []input {
			return []input{
				{name: "a list", ext: ".json", data: []byte(`[{"a": 1, "b": "x", "c": true}, {"a": null, "b": "é\n"}, {"a": 3, "e": 2.5}]`)},
				{name: "lines", ext: ".jsonl", data: []byte("{\"a\": 1, \"day\": \"2020-02-29\"}\n{\"a\": 9007199254740993, \"day\": null}\n")},
			}
		},
		special: func() []input {
			return []input{
				{name: "columns, not rows", ext: ".json", must: fail, data: []byte(`{"a": [1, 2, null], "b": [true, false, true]}`)},
				{name: "records in records", ext: ".json", must: fail, data: []byte(`[{"a": {"b": 1}}, {"a": [2]}]`)},
				{name: "a key in each row", ext: ".jsonl", most: 400 << 20, data: manyKeys(1000)},
				{name: "a key twice", ext: ".json", data: []byte(`[{"a": 1, "a": 2}]`)},
				{name: "no keys", ext: ".json", data: []byte(`[{}, {}, {}]`)},
				{name: "no rows", ext: ".json", data: []byte(`[]`)},
				{name: "a list among records", ext: ".json", data: []byte(`[{"a": 1}, [2]]`)},
				{name: "a long key", ext: ".json", data: []byte(`[{"` + strings.Repeat("k", 1_000_000) + `": 1}]`)},
				{name: "one long text among many", ext: ".jsonl", data: []byte(`{"a":"` + strings.Repeat("n", 1_000_000) + "\"}\n" + strings.Repeat("{\"a\":\"\"}\n", 20_000))},
				{name: "records deep in records", ext: ".json", data: []byte("[" + strings.Repeat(`{"a":`, 900) + "1" + strings.Repeat("}", 900) + "]")},
				{name: "an escape in a key", ext: ".json", data: []byte(`[{"\u001b[31m": 1, "b": 1}, {"b": {}}]`)},
				{name: "a number of a million digits", ext: ".jsonl", data: []byte(`{"a":` + strings.Repeat("9", 1_000_000) + "}\n")},
				{name: "lines and a list", ext: ".jsonl", data: []byte("{\"a\": 1}\n[1]\n")},
			}
		},
		read:  func(in input) (string, error) { return fromFile(in, loadTable) },
		paths: loadTable,
	}
}

// manyKeys are records each of which has a key of its own: a table of n by n cells.
func manyKeys(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"k%d\":1}\n", i)
	}
	return b.Bytes()
}

func market() *format {
	return &format{
		name: "matrix market", base: 4 << 20, times: 400, text: true,
		seeds: func() []input {
			return []input{
				{name: "coordinates", ext: ".mtx", data: []byte("%%MatrixMarket matrix coordinate real general\n% made\n3 4 3\n1 1 0.5\n2 4 -1e3\n3 2 2\n")},
				{name: "an array", ext: ".mtx", data: []byte("%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n")},
				{name: "a pattern", ext: ".mtx", data: []byte("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n")},
			}
		},
		special: func() (all []input) {
			for _, s := range []string{"0 0 0", "9223372036854775807 1 0", "4294967296 4294967296 0", "1 1 9223372036854775807", "-1 1 0", "1 1 2\n1 1 1\n1 1 1", "1000000000 1 1\n1 1 1", "2 2 1\n3 1 1", "2 2 1\n0 1 1", "2 2 1\n1 1 nan", "2 2 1\n1 1 1e999", "2 2 1\n1 1 1 1", "2 2 2\n1 1 1"} {
				all = append(all, input{name: "sizes " + s, ext: ".mtx", data: []byte("%%MatrixMarket matrix coordinate real general\n" + s + "\n")})
			}
			return append(all,
				input{name: "an array that lies", ext: ".mtx", must: fail, data: []byte("%%MatrixMarket matrix array real general\n100000 100000\n1\n")},
				input{name: "a million comments", ext: ".mtx", must: fail, data: []byte("%%MatrixMarket matrix array real general\n" + strings.Repeat("%\n", 1_000_000))},
				input{name: "an endless word", ext: ".mtx", must: fail, data: []byte("%%MatrixMarket " + strings.Repeat("m", 1_000_000))},
				input{name: "symmetric, not square", ext: ".mtx", must: fail, data: []byte("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n")})
		},
		read:  func(in input) (string, error) { return fromFile(in, loadMarket) },
		paths: loadMarket,
	}
}

func loadMarket(path string) (string, error) {
	m, err := sparse.Load(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(m.Shape(), m.NNZ()), nil
}

// links are the rates of a machine's links.
func links() *format {
	return &format{
		name: "links", base: 40 << 20, times: 400, text: true,
		seeds: func() []input {
			return []input{{name: "two devices", data: []byte("From,To,Bandwidth\n-1,0,12.5\n-1,1,12.5\n0,0,700\n0,1,48.2\n1,0,48\n1,1,700\n")}}
		},
		special: func() []input {
			return []input{
				{name: "device 1023 alone", must: fail, data: []byte("From,To,Bandwidth\n-1,1023,1\n")},
				{name: "a pair twice", must: fail, data: []byte("0,0,1\n0,0,2\n")},
				{name: "not a number", must: fail, data: []byte("-1,0,NaN\n0,0,1\n")},
			}
		},
		read: func(in input) (string, error) {
			l, err := offload.ReadLinks(bytes.NewReader(in.data))
			if err != nil {
				return "", err
			}
			return l.String(), nil
		},
	}
}
