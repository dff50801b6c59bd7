package kernel

import (
	"context"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// executeRequest is the content of execute_request. Pointers tell what the client left out.
type executeRequest struct {
	Code            *string           `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      *bool             `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`
}

// orTrue is the value of a flag whose default is true.
func orTrue(b *bool) bool { return b == nil || *b }

// execute runs a cell and returns the reply, when all its output is on the way.
func (k *kernel) execute(r *request) (any, error) {
	if r.aborted {
		return object{"status": "aborted"}, nil
	}
	var q executeRequest
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	if q.Code == nil {
		return nil, &CellError{Name: "BadRequest", Value: "execute_request without code"}
	}
	code := *q.Code
	blank := strings.TrimSpace(code) == ""
	store := !q.Silent && !blank && orTrue(q.StoreHistory)
	count, last := k.nextCount(store)
	r.meta = object{"started": timestamp(time.Now())}

	ctx, cancel := context.WithCancel(k.ctx)
	defer cancel()
	out := newCellOutput(ctx, k, r)
	out.silent, out.allowInput = q.Silent, orTrue(q.AllowStdin)
	out.attended = out.allowInput || r.cellID() != ""
	defer out.finish()
	if !q.Silent {
		k.publish("execute_input", r.rawHeader, object{"code": code, "execution_count": count})
	}
	k.beginCell(out, cancel)
	k.late.begin(out)
	var result display.Bundle
	var err error
	if !blank {
		result, err = k.session.Execute(ctx, Cell{Code: code, Count: count, ID: r.cellID(), Transient: !store}, out)
	}
	var expressions object
	if err == nil {
		expressions = k.evaluate(ctx, q.UserExpressions, count)
	}
	k.endCell(out)
	out.sync()

	if store {
		k.record(count, code, result.Text())
	}
	if err != nil {
		f := failureOf(err)
		if !q.Silent {
			k.publish("error", r.rawHeader, f)
		}
		if orTrue(q.StopOnError) {
			r.queue.abort(r)
		}
		return struct {
			Status string `json:"status"`
			Count  int    `json:"execution_count"`
			failure
		}{"error", last, f}, nil
	}
	if !q.Silent && !result.Empty() {
		out.result(result, count)
	}
	return object{"status": "ok", "execution_count": last, "payload": []any{}, "user_expressions": expressions}, nil
}

// nextCount numbers a cell. One that is not stored gets the number of the next that is. The reply has the last number
// that was given to a stored one: clients write the one after it into their next prompt, and some ask for it by an
// empty silent request before the first cell.
func (k *kernel) nextCount(store bool) (count, last int) {
	k.recordMu.Lock()
	defer k.recordMu.Unlock()
	if store {
		k.count++
		return k.count, k.count
	}
	return k.count + 1, k.count
}

// record puts a cell into the history.
func (k *kernel) record(count int, code, result string) {
	k.recordMu.Lock()
	defer k.recordMu.Unlock()
	if err := k.history.add(count, code, result); err != nil {
		k.logf("the history is not kept: %v", err)
	}
}

// evaluate answers user_expressions: each is a cell of its own, whose result is wanted and whose output is not.
func (k *kernel) evaluate(ctx context.Context, expressions map[string]string, count int) object {
	answers := object{}
	for name, code := range expressions {
		b, err := k.session.Execute(ctx, Cell{Code: code, Count: count, Transient: true}, nowhere{})
		var data rawObject
		if err == nil {
			data, err = b.MarshalData()
		}
		if err != nil {
			answers[name] = errorContent(err)
			continue
		}
		answers[name] = object{"status": "ok", "data": data, "metadata": orEmpty(b.Metadata)}
	}
	return answers
}

// nowhere is an Output that drops everything.
type nowhere struct{}

func (nowhere) Display(display.Bundle) {}
func (nowhere) Stream(_, _ string)     {}
func (nowhere) Input(string, bool) (string, error) {
	return "", errNoInput
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
