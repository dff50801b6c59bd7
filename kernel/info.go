package kernel

import (
	"maps"
	"strings"
)

// info answers kernel_info_request. The one optional feature is subshells.
func (k *kernel) info(*request) (any, error) {
	l := k.opts.Language
	return object{
		"status":                 "ok",
		"protocol_version":       protocolVersion,
		"implementation":         k.opts.Implementation,
		"implementation_version": k.opts.Version,
		"language_info":          l.Info(),
		"banner":                 l.Banner,
		"debugger":               true, // as far as debug.go says
		"supported_features":     []string{"kernel subshells"},
		"help_links":             append([]HelpLink{}, l.Help...),
	}, nil
}

// Info is the language_info of kernel_info_reply and of a notebook's metadata.
func (l Language) Info() map[string]any {
	info := object{"name": l.Name, "version": l.Version, "mimetype": l.MIMEType, "file_extension": l.FileExtension}
	if l.PygmentsLexer != "" {
		info["pygments_lexer"] = l.PygmentsLexer
	}
	if l.CodeMirrorMode != "" {
		info["codemirror_mode"] = l.CodeMirrorMode
	}
	maps.Copy(info, l.More)
	return info
}

// cursorRequest is the content of complete_request and inspect_request. Without a position the cursor stands at the
// end.
type cursorRequest struct {
	Code   string `json:"code"`
	Cursor *int   `json:"cursor_pos"`
	Detail int    `json:"detail_level"`
}

// at is the cursor in code points, inside the code.
func (q cursorRequest) at() int {
	n := len([]rune(q.Code))
	if q.Cursor == nil {
		return n
	}
	return max(0, min(*q.Cursor, n))
}

func (k *kernel) complete(r *request) (any, error) {
	var q cursorRequest
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	c := k.session.Complete(q.Code, q.at())
	metadata := object{}
	if len(c.Types) == len(c.Matches) && len(c.Types) > 0 {
		// The name says experimental since 2018; JupyterLab shows an icon for each type.
		var typed []object
		for i, m := range c.Matches {
			item := object{"text": m, "type": c.Types[i], "start": c.Start, "end": c.End}
			if i < len(c.Signatures) {
				item["signature"] = c.Signatures[i]
			}
			if i < len(c.Docs) && c.Docs[i] != "" {
				item["documentation"] = c.Docs[i]
			}
			typed = append(typed, item)
		}
		metadata["_jupyter_types_experimental"] = typed
	}
	return object{"status": "ok", "matches": append([]string{}, c.Matches...), "cursor_start": c.Start, "cursor_end": c.End, "metadata": metadata}, nil
}

func (k *kernel) inspect(r *request) (any, error) {
	var q cursorRequest
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	b, found := k.session.Inspect(q.Code, q.at(), q.Detail)
	data, err := b.MarshalData()
	if err != nil {
		return nil, err
	}
	return object{"status": "ok", "found": found, "data": data, "metadata": orEmpty(b.Metadata)}, nil
}

// blanks are what clients put for a tab of the language: the width that JupyterLab and qtconsole give their own.
const blanks = "    "

func (k *kernel) isComplete(r *request) (any, error) {
	var q struct {
		Code string `json:"code"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	c := k.session.IsComplete(q.Code)
	if c.Status == "" {
		c.Status = "unknown"
	}
	answer := object{"status": c.Status}
	if c.Status == "incomplete" {
		answer["indent"] = strings.ReplaceAll(c.Indent, "\t", blanks) // consoles show a tab as ^I, or eight wide
	}
	return answer, nil
}
