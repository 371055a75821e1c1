package site

import (
	"path"
	"slices"
	"strings"
)

// otherTools lists commands that no [Format] reads. A site may keep their output too.
var otherTools = []string{
	"arcconf", "cat", "dmsetup", "findmnt", "iostat", "ls", "lshw", "lvs", "mount", "pvs", "smartctl", "sudo", "tree", "udevadm", "vgs",
}

// isTool reports whether a command, or a word, begins with a tool's name.
func isTool(command string) bool {
	words := strings.Fields(command)
	if len(words) > 1 && words[0] == "sudo" {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	name := strings.ToLower(path.Base(words[0]))
	return slices.Contains(otherTools, name) ||
		slices.ContainsFunc(Formats(), func(f Format) bool { return slices.Contains(f.Commands, name) })
}
