package display

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever way a long text comes, what is shown of it is short.
func TestLongFormsAreCut(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for _, v := range []any{long, errors.New(long), Text(long), []string{long}, HTML(long), Markdown(long), MIME(MIMEMap{TypeText: long, TypeHTML: "<b>"}, nil)} {
		b, err := Of(v)
		require.NoError(t, err)
		require.Less(t, len(b.Text()), maxText+100, "%T", v)
		require.Contains(t, b.Text(), " more bytes; fmt.Println shows all of it")
		require.NotContains(t, b.Text(), "\ufffd")
	}
	huge := strings.Repeat("x", maxForm+1)
	for typ, v := range map[string]Bundle{TypeHTML: HTML(huge), TypePNG: PNG([]byte(huge)), TypeJSON: JSON(huge)} {
		b, err := Of(v)
		require.NoError(t, err)
		require.NotContains(t, b.Data, typ)
		require.Contains(t, b.Text(), "<the "+typ+" form is not shown: it has 33554433 bytes")
		require.Contains(t, v.Data, typ, "the value itself is kept")
	}
	b, err := Of(HTML(long))
	require.NoError(t, err)
	require.Equal(t, long, b.Data[TypeHTML])
}
