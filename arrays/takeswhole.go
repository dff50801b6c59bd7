package arrays

// takesWhole is called with an array of which a function needs all elements at once, before it makes anything as large:
// package lazy refuses one that is in a file and more than the budget.
func takesWhole(op string, a *Array) {}
