package main

import (
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// sayError is the text of an error as people read it: what, then what is wrong with
// it, without the names of system calls, and each line once.
func sayError(err error, text string) string {
	for _, part := range causes(err) {
		if plain := reworded(part); plain != "" {
			text = strings.ReplaceAll(text, part.Error(), plain)
		}
	}
	var lines []string
	seen := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if isError := strings.Contains(line, ": ") && !strings.HasPrefix(line, " "); !isError || !seen[line] {
			lines = append(lines, line)
		}
		seen[line] = true
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fullDisk(lines)
	}
	return strings.Join(lines, "\n")
}

// temporary matches the directory that files are written to before they get their place.
var temporary = regexp.MustCompile(`\.limpet-[0-9a-f]+\.tmp/`)

// fullDisk is the text of errors on a full disk. Each file that was being written has one, and they
// all have the same cause: the first is enough.
func fullDisk(lines []string) string {
	at := max(slices.IndexFunc(lines, func(line string) bool {
		return strings.Contains(line, syscall.ENOSPC.Error()) || strings.Contains(line, syscall.EDQUOT.Error())
	}), 0)
	text := temporary.ReplaceAllString(lines[at], "")
	if strings.Contains(text, ";") { // the error names a cure already
		return text
	}
	return text + "; free some space on this disk, or write to another disk"
}

// causes are all errors that one wraps, the outermost first.
func causes(err error) (list []error) {
	if err == nil {
		return nil
	}
	list = append(list, err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return append(list, causes(e.Unwrap())...)
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			list = append(list, causes(part)...)
		}
	}
	return list
}

// reworded is the text of an error of the standard library; empty where another says
// it well.
func reworded(err error) string {
	switch e := err.(type) {
	case *url.Error:
		return e.Err.Error()
	case *net.OpError:
		call, ok := errors.AsType[*os.SyscallError](e.Err)
		switch {
		case !ok || e.Addr == nil:
		case e.Op == "dial": // who is asked is said
			return call.Err.Error()
		default:
			return e.Addr.String() + ": " + call.Err.Error()
		}
	case *fs.PathError:
		if e.Op == "read" && e.Err.Error() == "is a directory" {
			return e.Path + ": this is a directory; name a file in this directory"
		}
		return e.Path + ": " + e.Err.Error()
	case *os.LinkError:
		return e.New + ": " + e.Err.Error()
	}
	return ""
}

// withoutEcho leaves out a name that stands before itself: "a: a: no such file".
func withoutEcho(text string) string {
	name, rest, ok := strings.Cut(text, ": ")
	if ok && name != "" && strings.HasPrefix(rest, name+": ") {
		return rest
	}
	return text
}
