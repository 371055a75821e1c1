package tables

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/ingest/tool"
)

// Head is the number of bytes at the beginning of a file that are enough to recognise the
// file.
const Head = 64 << 10

// Recognise finds the kind of a file. The parameter `head` is the beginning of the file. The first
// result describes the file in words. The second result is the value that the flag --tables needs
// for this file:
//
//   - the name of a preset
//   - FILE, if the user has to write a description
//   - empty, if limpet cannot read the file as a table
//
// Both results are empty if limpet does not know this kind of file.
func Recognise(head []byte) (what, tables string) {
	if bytes.HasPrefix(head, []byte("PAR1")) {
		return "a Parquet table", "FILE"
	}
	text := string(head)
	if !isText(text) {
		return "", ""
	}
	if format, what := tool.RecogniseTable(text); format != nil {
		return what, format.Name
	}
	if strings.HasPrefix(text, "Linux ") && strings.Contains(text, "CPU)") {
		return "text of sar or iostat without drives: give the output of `sar -d` or `iostat -x -t`", ""
	}
	if isCSV(text) && len(yamlKey.FindAllString(text, 2)) < 2 {
		return "a CSV table", "FILE"
	}
	return "", ""
}

// isText reports whether the beginning of a file is text. The beginning may end in the
// middle of a character.
func isText(head string) bool {
	for i, r := range head {
		cut := r == utf8.RuneError && len(head)-i < utf8.UTFMax
		if r == utf8.RuneError && !cut || r < ' ' && !strings.ContainsRune("\t\r\n", r) {
			return false
		}
	}
	return head != ""
}

// isCSV reports whether the first two lines have the same number of separators, and at
// least one.
func isCSV(text string) bool {
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) < 2 {
		return false
	}
	for _, separator := range []string{",", ";", "\t"} {
		if n := strings.Count(lines[0], separator); n > 0 && n == strings.Count(lines[1], separator) {
			return true
		}
	}
	return false
}
