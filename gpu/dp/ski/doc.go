// Package ski reduces expressions of the combinators S, K and I with a processor for each pair: all redexes of a kind
// at once, new pairs by processor-cons, garbage marked by messages (Hillis and Steele, "Data Parallel Algorithms",
// 1986, section 3.5, after Turner).
//
// Start with [Reduce].
package ski
