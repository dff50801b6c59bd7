package main

// formats are all kinds of inputs that are tried.
func formats() []*format {
	return []*format{
		npy(), npz(), jsonArrays(), csvText(), csvPacked(), arrow(), npyRecords(), jsonRecords(), market(), links(), pngFormat(), jpegFormat(), gifFormat(),
		notebooks(), carriedFiles(), connections(), machines(), ptxTexts(), kirTexts(), cudaTexts(),
		transportFrames(), messages(),
	}
}

func formatNamed(name string) *format {
	for _, f := range formats() {
		if f.name == name {
			return f
		}
	}
	return nil
}
