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

// sayError returns the text of an error for people: the name of the object, then the problem,
// without the names of system calls. It removes repeated lines.
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
	if isFullDisk(err) {
		return fullDisk(lines)
	}
	return strings.Join(lines, "\n")
}

// isFullDisk reports whether an error means that there is no space left.
func isFullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// temporary matches the directory of a file that is being written, before it is renamed.
var temporary = regexp.MustCompile(`\.limpet-[0-9a-f]+\.tmp/`)

// fullDisk returns the text of the first error about a full disk. Each file that was being written
// has such an error, and all have the same cause.
func fullDisk(lines []string) string {
	at := max(slices.IndexFunc(lines, func(line string) bool {
		return strings.Contains(line, syscall.ENOSPC.Error()) || strings.Contains(line, syscall.EDQUOT.Error())
	}), 0)
	text := temporary.ReplaceAllString(lines[at], "")
	if strings.Contains(text, ";") { // after a semicolon, the text already has a hint
		return text
	}
	return text + "; free some space on this disk, or write to another disk"
}

// causes returns an error and all errors that it wraps, the outermost first.
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

// reworded returns a plain text for an error of the standard library; empty: the text of the error
// is good enough.
func reworded(err error) string {
	switch e := err.(type) {
	case *url.Error:
		return e.Err.Error()
	case *net.OpError:
		call, ok := errors.AsType[*os.SyscallError](e.Err)
		switch {
		case !ok || e.Addr == nil:
		case e.Op == "dial": // the text already names the address
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

// withoutEcho removes a name that is repeated: "a: a: no such file" becomes "a: no such file".
func withoutEcho(text string) string {
	name, rest, ok := strings.Cut(text, ": ")
	if ok && name != "" && strings.HasPrefix(rest, name+": ") {
		return rest
	}
	return text
}
