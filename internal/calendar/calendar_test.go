package calendar

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDatesAsGo: days, and what stands in texts, are those of package time.
func TestDatesAsGo(t *testing.T) {
	for year := 1; year < 3000; year += 7 {
		for month := time.January; month <= time.December; month++ {
			at := time.Date(year, month, 1, 13, 45, 6, 789_000_000, time.UTC)
			days := DaysOfMonth(int64(year-1970)*12 + int64(month) - 1)
			require.Equal(t, at.Truncate(24*time.Hour).Unix()/86400, days, at)
			v, u, ok, err := Parse(at.Format("2006-01-02T15:04:05.000Z"))
			require.NoError(t, err)
			require.True(t, ok && u == Millisecond, at)
			require.Equal(t, at.UnixMilli(), v, at)
			back, err := Convert(v, Millisecond, Month)
			require.NoError(t, err)
			require.Equal(t, int64(year-1970)*12+int64(month)-1, back, at)
		}
	}
	for _, text := range []string{"2024-02-30", "2024-2-3", "24", "2024-02-03T24:00", "2024-02T10", "x"} {
		_, _, ok, err := Parse(text)
		require.NoError(t, err, text)
		require.False(t, ok, text)
	}
}

// TestWhatDoesNotFit: a count beyond int64 is an error, and NaT stays what it is.
func TestWhatDoesNotFit(t *testing.T) {
	_, err := Convert(1_000_000_000, Day, Nanosecond)
	require.EqualError(t, err, "a count of 1000000000 Days does not fit Nanoseconds; use a coarser unit")
	_, _, _, err = Parse("999999999-01-01T00:00:00.000000001")
	require.ErrorContains(t, err, "does not fit Nanoseconds")
	v, err := Convert(NaT, Year, Nanosecond)
	require.NoError(t, err)
	require.Equal(t, int64(math.MinInt64), v)
}
