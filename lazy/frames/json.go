package frames

import (
	"bytes"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// MarshalJSON writes t as a list of records: [{"city":"Ulm","people":126000}]. What is missing is null, dates are
// texts. JSON has neither infinities nor complex numbers nor durations: they are an error.
func (t *Table) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	values, masks := t.parts()
	err := np.WriteRecords(&b, t.names, values, arrays.MissingInto(masks))
	return b.Bytes(), err
}

// UnmarshalJSON makes t of records, a list of objects of one level or objects one after the other, as
// [arrays.ReadRecords] reads them; missing whole numbers and bools leave a column what it is.
func (t *Table) UnmarshalJSON(text []byte) error {
	out, err := made(func(opts ...np.CSVOption) (names []string, values []*np.Array, err error) {
		return np.ReadRecords(bytes.NewReader(text), opts...)
	})
	if err == nil {
		*t = *out
	}
	return err
}
