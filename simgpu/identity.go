package simgpu

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// identities tells policies apart: by their values and by the declarations of their types. A cell that declares a type
// again, with another body of a method, makes another type of the same name.
var identities struct {
	sync.Mutex
	known        map[any]string // by value, which has the type in it
	of           map[string]int // by text: how many have it
	uncomparable []uncomparable
}

type uncomparable struct {
	policy any
	text   string
}

// identity returns a text that another policy has only if it is of the same declaration and, by == or where Go has none
// by reflect.DeepEqual, the same value. Functions are equal to none. The text of a type of compiled code is the same in
// every process, but for pointers.
func identity(policy any) string {
	if policy == nil {
		return "none"
	}
	identities.Lock()
	defer identities.Unlock()
	comparable := reflect.ValueOf(policy).Comparable()
	if comparable {
		if text, ok := identities.known[policy]; ok {
			return text
		}
	} else {
		for _, u := range identities.uncomparable {
			if reflect.DeepEqual(u.policy, policy) {
				return u.text
			}
		}
	}
	text := fmt.Sprintf("%T%+v", policy, policy)
	n := identities.of[text]
	if identities.of == nil {
		identities.of, identities.known = map[string]int{}, map[any]string{}
	}
	identities.of[text]++
	if n > 0 {
		text = fmt.Sprintf("%s, %d", text, n+1)
	}
	if comparable {
		identities.known[policy] = text
	} else {
		identities.uncomparable = append(identities.uncomparable, uncomparable{policy, text})
	}
	return text
}

// identity returns a text that two sets of policies have that are the same.
func (p policies) identity() string {
	text := fmt.Sprint(identity(p.divergence), "; ", identity(p.issue), "; ", identity(p.order))
	if p.lanes != nil {
		text += "; " + identity(p.lanes)
	}
	if p.co != nil {
		text += "; " + identity(p.co)
	}
	if p.picker != nil {
		text += "; " + identity(p.picker)
	}
	if p.ctas != nil {
		text += "; " + identity(p.ctas)
	}
	if p.loads != nil {
		text += "; " + identity(p.loads)
	}
	return text
}

// ownPolicies are of the types that this package has written.
var ownPolicies = []any{PDOM{}, TF{}, SBI{}, NREC{}, MIMD{}, DWF{}, DTime, Identity, SWI{}, Baseline{}, VT{}, MaxTLP{}, FIFO{}, Mascar{}, ActiveFirst{}, GTO{}, LRR{}, Oldest{}, TwoLevel{}, Barrel{}, InOrder{}, Shuffle(0)}

// ours reports whether a policy does what this package has written, which may be trusted.
func ours(x Named) bool {
	if s, ok := x.(compiledScore); ok {
		return !s.code.mayPanic()
	}
	return slices.ContainsFunc(ownPolicies, func(own any) bool { return reflect.TypeOf(own) == reflect.TypeOf(x) })
}

// foreign reports whether somebody else than this package has written one of the policies: it may do anything.
func (p policies) foreign() bool {
	kind, _ := p.others()
	return kind != ""
}

// others returns the names of the policies that somebody else has written, and what the first is.
func (p policies) others() (kind string, names []string) {
	add := func(of string, x Named) {
		if x == nil || ours(x) {
			return
		}
		if kind == "" {
			kind = of
		}
		names = append(names, nameOf(x))
	}
	add(divergenceKind, p.divergence)
	if d, ok := p.divergence.(DWF); ok {
		add(issueKind, d.picker())
	}
	add(issueKind, p.issue)
	if p.picker != nil {
		add(issueKind, p.picker)
	}
	add(orderKind, p.order)
	if p.lanes != nil {
		add(lanesKind, p.lanes)
	}
	if p.co != nil {
		add(coKind, p.co)
	}
	if p.ctas != nil {
		add(ctaKind, p.ctas)
	}
	if p.loads != nil {
		add(loadKind, p.loads)
	}
	return kind, names
}
