package faulty

import (
	"fmt"
	"strconv"
	"strings"
)

// A Rule makes some I/Os of a kind fail, chosen at random.
type Rule struct {
	Op    string // read, write or sync
	Fault string // error, short or hang
	Every int    // one of Every I/Os fails
}

// A Plan is a list of rules. The first rule that matches an I/O is applied:
//
//	read:error/20 write:hang/300
type Plan []Rule

var (
	ops    = []string{"read", "write", "sync"}
	faults = []string{"error", "short", "hang"}
)

// String returns the text that Parse reads.
func (p Plan) String() string {
	list := make([]string, len(p))
	for i, r := range p {
		list[i] = fmt.Sprintf("%s:%s/%d", r.Op, r.Fault, r.Every)
	}
	return strings.Join(list, " ")
}

// Parse reads the text of a plan.
func Parse(text string) (p Plan, err error) {
	for _, word := range strings.Fields(text) {
		r, err := parseRule(word)
		if err != nil {
			return nil, err
		}
		p = append(p, r)
	}
	return p, nil
}

func parseRule(word string) (r Rule, err error) {
	head, every, ok := strings.Cut(word, "/")
	op, fault, both := strings.Cut(head, ":")
	r = Rule{Op: op, Fault: fault}
	r.Every, err = strconv.Atoi(every)
	if !ok || !both || err != nil || r.Every < 1 || !among(ops, op) || !among(faults, fault) {
		return Rule{}, fmt.Errorf("the rule %q is wrong: write OPERATION:FAULT, such as read:error/20. The operations are %s, the faults are %s", word, strings.Join(ops, ", "), strings.Join(faults, ", "))
	}
	return r, nil
}

func among(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}
