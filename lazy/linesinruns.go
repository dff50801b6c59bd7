package lazy

import (
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// Lines that are too long for memory are sorted one after the other. Where they do not lie side by side, files are
// between in which they do.

// linesInRuns has run make each line of so many elements, of which so many lie between two others of a line. The
// results have elements of size bytes.
func linesInRuns(run func(in blocks, out *sequence) error, length, inner, size int) func(in blocks, out *sequence) error {
	return func(in blocks, out *sequence) error {
		line := in
		line.n = length
		if inner == 1 {
			for ; line.first < in.first+in.n; line.first += length {
				if err := run(line, out); err != nil {
					return err
				}
			}
			return nil
		}
		bytes := int64(length) * int64(inner)
		lines, err := disk.Temporary(in.dir, bytes*int64(in.dtype.Size()))
		if err != nil {
			return err
		}
		defer lines.Release()
		results, err := disk.Temporary(in.dir, bytes*int64(size))
		if err != nil {
			return err
		}
		defer results.Release()
		for at := 0; at < in.n; at += length * inner {
			if err := untangled(in, lines, at, length, inner); err != nil {
				return err
			}
			line.first, line.memory, line.source = 0, nil, lines
			for to := (&sequence{source: results}); line.first < length*inner; line.first += length {
				if err := run(line, to); err != nil {
					return err
				}
			}
			if err := sideBySide(in, results, out, length, inner, size); err != nil {
				return err
			}
		}
		return nil
	}
}

// untangled writes lines that lie beside each other from element at on, element by element, one after the other.
func untangled(in blocks, to *disk.Source, at, length, inner int) error {
	size := in.dtype.Size()
	each := max(room()/(2*inner*size), 1) // elements of a line at a time
	block, line := make([]byte, each*inner*size), make([]byte, each*size)
	for k := 0; k < length; k += each {
		n := min(each, length-k)
		if err := in.read(block[:n*inner*size], at+k*inner); err != nil {
			return err
		}
		for i := range inner {
			for j := range n {
				copy(line[j*size:(j+1)*size], block[(j*inner+i)*size:])
			}
			if err := to.WriteAt(line[:n*size], (int64(i)*int64(length)+int64(k))*int64(size)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sideBySide puts elements of lines that lie one after the other beside each other.
func sideBySide(in blocks, from *disk.Source, out *sequence, length, inner, size int) error {
	each := max(room()/(2*inner*size), 1)
	block, line := make([]byte, each*inner*size), make([]byte, each*size)
	for k := 0; k < length; k += each {
		if err := in.ctx.Err(); err != nil {
			return err
		}
		n := min(each, length-k)
		for i := range inner {
			if err := from.ReadAt(line[:n*size], (int64(i)*int64(length)+int64(k))*int64(size)); err != nil {
				return err
			}
			for j := range n {
				copy(block[(j*inner+i)*size:], line[j*size:(j+1)*size])
			}
		}
		if err := out.put(block[:n*inner*size]); err != nil {
			return err
		}
	}
	return nil
}
