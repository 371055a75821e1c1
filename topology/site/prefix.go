package site

import (
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

var linePrefix = lazyregexp.New(`^([\w.-]+):(?: (.*)|)$`)

// byPrefix splits the output of pdsh, which has the name of a server before every line, into
// one Text for each server. It returns nil for any other file.
func byPrefix(file string, lines []string) []*Text {
	texts := map[string]*Text{}
	filled, strange := 0, 0
	for i, line := range lines {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "pdsh@") || strings.HasPrefix(line, "clush: ") {
			continue // a message of pdsh or clush itself
		}
		filled++
		m := linePrefix.FindStringSubmatch(line)
		if m == nil || !isHostName(m[1]) {
			strange++
			continue
		}
		if texts[m[1]] == nil {
			texts[m[1]] = &Text{File: file, Host: m[1], HostFrom: "prefix"}
		}
		texts[m[1]].add(i+1, m[2])
	}
	if strange*20 > filled || len(texts)*2 > filled && !alike(texts) { // up to one line in twenty may be a message without a server
		return nil
	}
	list := make([]*Text, 0, len(texts))
	for _, host := range slices.Sorted(maps.Keys(texts)) {
		list = append(list, texts[host])
	}
	return list
}

// alike reports whether the names of several servers differ only in their numbers. The
// prefixes are then servers, and not the keys of "key: value" lines, even if each prefix has
// only one line.
func alike(texts map[string]*Text) bool {
	stems := map[string]bool{}
	for host := range texts {
		stem := strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return -1
			}
			return r
		}, host)
		if stem == host {
			return false
		}
		stems[stem] = true
	}
	return len(texts) > 1 && len(stems) == 1
}
