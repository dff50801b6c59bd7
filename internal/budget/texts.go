package budget

// WideTexts reports whether n texts of so many bytes in all had better not be kept in an array, in which each has room
// for as many characters, of 4 bytes, as the longest: that would take more than 32 MB, and 16 times what the texts take
// as Go strings, or no array has such wide ones.
func WideTexts(longest, n int, bytes int64) bool {
	const mostCharacters, always, times, header = 1 << 20, 32 << 20, 16, 16
	size := Product(4, longest, n)
	return longest > mostCharacters || size > always && size/times > bytes+header*int64(n)
}
