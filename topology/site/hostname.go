package site

import (
	"path"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// Words in names of files and folders that are no part of a server's name.
var fileWords = []string{
	"txt", "out", "log", "json", "xml", "gz", "tgz", "tar", "zip", "dump", "output", "dat", "prom", "csv", "ll", "all", "show",
	"list", "status", "detail", "info", "display", "tree", "metadata", "osd", "maps", "commands", "sos", "block",
	"enclosure", "raid", "inventory", "lvm", "raw", "report", "volume", "targets", "pd", "vd", "proc", "sys", "dl", "df", "unattributed",
}

var (
	wordBreak = lazyregexp.New(`[._+ ]+|-{2,}`)
	optionEnd = lazyregexp.New(`(?:^|[-_])-?[A-Za-z]{1,2}$`)
)

// HostOfFile guesses the server from the name of a file or of its folder; "": neither name shows a
// server. It returns fs1 for fs1.multipath.txt, multipath-fs1.txt and fs1/multipath-ll.txt. The
// caller must report the guess.
func HostOfFile(file string) string {
	base, dir := path.Base(file), path.Base(path.Dir(file))
	for _, name := range []string{base, dir} {
		if host := hostIn(name); host != "" {
			return host
		}
	}
	return ""
}

// HostOfOneFolder is HostOfFile for files that are all in one folder. The name of the folder counts
// as a server only if it has a number, as the names of servers have: fs1, but not out or site.
func HostOfOneFolder(file string) string {
	if host := hostIn(path.Base(file)); host != "" {
		return host
	}
	if host := HostOfFile(file); strings.ContainsAny(host, "0123456789") {
		return host
	}
	return ""
}

// hostIn returns the part of a name that may be a server, without the names of tools and file
// extensions.
func hostIn(name string) string {
	var left []string
	for _, word := range wordBreak.Split(name, -1) {
		if word = withoutTool(word); word != "" {
			left = append(left, word)
		}
	}
	if len(left) == 0 || !isHostName(left[0]) || !strings.ContainsAny(left[0], "0123456789") && len(left) > 1 {
		return ""
	}
	return left[0]
}

// withoutTool removes the names of tools, and options, from a word.
func withoutTool(word string) string {
	parts := slices.DeleteFunc(strings.Split(word, "-"), func(p string) bool { return p == "" || noHost(p) })
	if len(parts) == 0 || len(parts) == 1 && optionEnd.MatchString(parts[0]) {
		return ""
	}
	return strings.Join(parts, "-")
}

func noHost(word string) bool {
	word = strings.ToLower(word)
	return slices.Contains(fileWords, word) || isTool(word) || len(word) == 1 && (word < "0" || word > "9")
}
