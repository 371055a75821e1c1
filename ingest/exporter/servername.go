package exporter

import (
	"fmt"
	"net"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxServerName is the longest name in the header of an activity file, in
// bytes.
const maxServerName = 64

// CheckName returns an error if a name cannot be the name of a server and of
// its files.
func CheckName(name string) error {
	odd := func(r rune) bool { return r == '/' || r == ' ' || !isVisible(r) }
	switch {
	case name == "":
		return fmt.Errorf("a server has no name: check that the label with the name of the server is not empty")
	case len(name) > maxServerName:
		return fmt.Errorf("the server name that begins with %q has %d bytes, but a server name can have at most %d bytes: use a shorter name", name[:maxServerName/2], len(name), maxServerName)
	case name[0] == '.' || name[0] == '-' || strings.ContainsFunc(name, odd):
		return fmt.Errorf("%q cannot be the name of a server, because limpet uses the name as a file name: use a relabel rule that removes spaces, slashes, characters that cannot be printed, and a dot or hyphen at the start", name)
	}
	return nil
}

// isVisible reports whether a character can be printed. Control characters cannot
// be printed.
func isVisible(r rune) bool { return r != utf8.RuneError && unicode.IsPrint(r) }

// HostOf returns the value of an instance label without its port.
func HostOf(instance string) string {
	if host, port, err := net.SplitHostPort(instance); err == nil && strings.Trim(port, "0123456789") == "" {
		return host
	}
	return instance
}
