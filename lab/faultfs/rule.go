package faultfs

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// An Op is an operation on a file.
type Op string

// The operations. Read changes nothing: it can fail, but the function of [FS.Before] is not called
// before it.
const (
	Create   Op = "create"
	Write    Op = "write"
	Truncate Op = "truncate"
	Fsync    Op = "fsync" // of a file or a directory
	Rename   Op = "rename"
	Remove   Op = "remove"
	Mkdir    Op = "mkdir"
	Read     Op = "read"
)

var ops = []Op{Create, Write, Truncate, Fsync, Rename, Remove, Mkdir, Read}

// A Fault replaces an operation.
type Fault string

// The faults.
const (
	EIO    Fault = "eio"
	ENOSPC Fault = "enospc"
	Hang   Fault = "hang"  // the operation hangs until the rules are changed
	Short  Fault = "short" // a write writes only some of its bytes
	Lie    Fault = "lie"   // a sync reports success and does nothing
)

var faults = []Fault{EIO, ENOSPC, Hang, Short, Lie}

func (f Fault) errno() syscall.Errno {
	if f == ENOSPC {
		return syscall.ENOSPC
	}
	return syscall.EIO
}

// A Rule injects a fault into some operations.
type Rule struct {
	Op      Op
	Pattern string // pattern of path.Match for the name; empty: any name
	// numbers of the first and the last matching operation with the fault, counted from 1; From 0:
	// the first operation, To 0: no last operation
	From, To int
	Fault    Fault
	Bytes    int // number of bytes that a short write writes
}

// String returns the text that Parse reads.
func (r Rule) String() string {
	words := []string{string(r.Op)}
	if r.Pattern != "" {
		words = append(words, r.Pattern)
	}
	if r.From > 0 {
		words = append(words, "from", strconv.Itoa(r.From))
	}
	if r.To > 0 {
		words = append(words, "to", strconv.Itoa(r.To))
	}
	text := strings.Join(words, " ") + ": " + string(r.Fault)
	if r.Fault == Short {
		text += " " + strconv.Itoa(r.Bytes)
	}
	return text
}

// Parse reads rules, one a line.
func Parse(text string) ([]Rule, error) {
	var rules []Rule
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		r, err := parseRule(line)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", strings.TrimSpace(line), err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func parseRule(line string) (r Rule, err error) {
	when, what, ok := strings.Cut(line, ":")
	words, fault := strings.Fields(when), strings.Fields(what)
	if !ok || len(words) == 0 || len(fault) == 0 {
		return r, fmt.Errorf("this is not a rule: write OPERATION [PATTERN] [from N] [to N]: FAULT")
	}
	if r.Op = Op(words[0]); !slices.Contains(ops, r.Op) {
		return r, fmt.Errorf("operation %q is unknown: write one of %v", words[0], ops)
	}
	words = words[1:]
	if len(words)%2 == 1 {
		r.Pattern, words = words[0], words[1:]
		if _, err := path.Match(r.Pattern, ""); err != nil {
			return r, err
		}
	}
	for ; len(words) > 0; words = words[2:] {
		bound := map[string]*int{"from": &r.From, "to": &r.To}[words[0]]
		if bound == nil || *bound != 0 {
			return r, fmt.Errorf("%q is not expected here: after the operation and the pattern, write only \"from N\" and \"to N\", each at most once", words[0])
		}
		if *bound, err = count(words[1]); err != nil {
			return r, err
		}
	}
	return r, r.parseFault(fault)
}

func (r *Rule) parseFault(words []string) (err error) {
	r.Fault = Fault(words[0])
	switch {
	case !slices.Contains(faults, r.Fault):
		return fmt.Errorf("fault %q is unknown: write one of %v", words[0], faults)
	case (r.Fault == Short) != (len(words) == 2):
		return fmt.Errorf("only the fault \"short\" has a number: write short N")
	case r.Fault == Short && r.Op != Write, r.Fault == Lie && r.Op != Fsync:
		return fmt.Errorf("the fault \"short\" is only for writes, and the fault \"lie\" is only for syncs")
	case r.Fault == Short:
		r.Bytes, err = count(words[1])
	}
	return err
}

func count(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || text != strconv.Itoa(n) {
		return 0, fmt.Errorf("%q is not a whole number of 1 or more", text)
	}
	return n, nil
}

// matches reports whether the rule applies to an operation on a name.
func (r *Rule) matches(op Op, name string) bool {
	if r.Op != op {
		return false
	}
	ok, _ := path.Match(r.Pattern, name) // no error: Parse refuses invalid patterns
	return ok || r.Pattern == ""
}
