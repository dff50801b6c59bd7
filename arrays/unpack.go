package arrays

import "github.com/arrayrepl/arrayrepl/internal/budget"

// SetUnpackTimes sets how many times the size of a packed file what is in it may have, 250 at first, and returns what
// it was. A picture, a .npz file, a CSV file in gzip or an Arrow file that holds more, and more than 256 MB, is
// refused, as a file of a few MB can be made to fill all memory. Set it for a file that you trust: a picture of one
// colour, an array of zeros.
func SetUnpackTimes(n int) (before int) { return budget.SetUnpackTimes(n) }
