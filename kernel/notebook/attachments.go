package notebook

// Attachments are the files that a Markdown cell brings along, as pictures that were pasted into it: MIME bundles by
// the names under which the text refers to them, attachment:name. What is not of that form is left out.
func (c *Cell) Attachments() map[string]map[string]any {
	raw, _ := c.fields["attachments"].(map[string]any)
	out := map[string]map[string]any{}
	for name, v := range raw {
		bundle, ok := v.(map[string]any)
		if !ok {
			continue
		}
		mapped := map[string]any{}
		for mime, v := range bundle {
			mapped[mime] = joined(v)
		}
		out[name] = mapped
	}
	return out
}
