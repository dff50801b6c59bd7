package main

// streams has what people write who take a stream or a gather of package brook for a slice or an array. The first that
// matches is taken.
var streams = []foreign{
	of(`^cannot (index|slice) .*\*brook\.Stream\)|a \*brook\.Stream has none$`, ``, "the elements as a Go slice are brook.Slice[T](s), some of them "+
		"brook.Slice[T](s.Region([]int{0}, []int{3})); the array of a member is s.Field(\"X\"), of a stream of numbers s.Field(\"\")"),
	of(`^undefined: brook\.(Image|Picture|Show|ImShow|Imshow)$`, ``, "a stream as a picture is s.Image(), an array as one is viz.Image(x)"),
	of(`^cannot range over .*\*brook\.Stream\)`, ``, "brook.Map(f, s) calls f for each element; a loop goes over brook.Slice[T](s)"),
	of(`\*brook\.Stream\) for built-in (len|cap)$`, ``, "the number of elements is s.Len(), the sizes of the axes are s.Shape()"),
	of(`^invalid append: .*\*brook\.Stream\)`, ``, "a stream keeps its length: append to a slice, and make a stream of it by brook.Of(list); "+
		"a function that emits any number of elements is for brook.Flat(f, s)"),
	of(`^invalid copy: .*\*brook\.Stream\)`, ``, "brook.Read(s, list) gives a stream the elements of a slice, brook.Slice[T](s) is a slice of them"),
	of(`operator \S+ not defined on .*\*brook\.Stream\)|mismatched types .*\*brook\.Stream\b`, ``, "brook.Map(f, s) computes with elements; "+
		"arrays have operators: that of a member is s.Field(\"X\"), of a stream of numbers s.Field(\"\")"),
	of(`takes an array, a number or a slice of numbers as \w+, not a \*brook\.Stream$`, ``, "the array of a member is s.Field(\"X\"), of a stream of numbers s.Field(\"\")"),
	of(`\*brook\.Stream\) cannot be ordered$|type \*brook\.Stream has no field or method (Sum|sum|Max|max|Min|min|Mean|mean)\)$`, ``, "a reduction is brook.Reduce(f, s)"),
	of(`type \*brook\.Stream has no field or method (At|Get|Data|Elements)\)$|^cannot convert .*\*brook\.Stream\) to type \[\]`, ``, "the elements as a Go slice are brook.Slice[T](s)"),
	of(`type \*brook\.Stream has no field or method \w+\)$`, ``, "a member of the elements is s.Field(\"X\") as an array, s.Member(\"O\") as a stream"),
	of(`^cannot index .*\bbrook\.Gather\[.*\)`, `\|\w+\[.*\]\s*([-+*/&|^%]|<<|>>)?=[^=]`, "a gather is read only; a kernel writes by its results"),
	of(`^cannot (index|slice) .*\bbrook\.Gather\[.*\)`, ``, "an element is g.At(i), of several axes g.At2(y, x), g.At3(z, y, x), g.At4(w, z, y, x)"),
	of(`^cannot range over .*\bbrook\.Gather\[.*\)`, ``, "a loop is for i := range g.Len() { … g.At(i) … }"),
	of(`\bbrook\.Gather\[.*\) for built-in (len|cap)$`, ``, "the number of elements is g.Len()"),
}
