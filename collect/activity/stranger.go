package activity

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// A file that is no activity file may be one that limpet reads in another way, or
// the text of one that it reads.

// peekBytes are enough for the first lines of a table or a report.
const peekBytes = 4096

// recognise says what a file that was refused is, and what to type instead; it is
// empty where nobody can say.
func recognise(path string) string {
	begin := firstBytes(path)
	line, rest, _ := bytes.Cut(begin, []byte("\n"))
	switch {
	case bytes.HasPrefix(begin, []byte("PAR1")):
		return fmt.Sprintf("%s is a Parquet table, no activity file: describe its columns in a YAML file, and say --tables FILE (limpet help tables)", path)
	case !isText(begin):
		return ""
	case bytes.HasPrefix(line, []byte("Linux ")) && bytes.Contains(line, []byte("CPU)")):
		return fmt.Sprintf("%s is text that sar or iostat printed, no activity file: give the file that sar read, such as /var/log/sysstat/sa14", path)
	case isTable(line, rest):
		return fmt.Sprintf("%s is a table (CSV), no activity file: describe its columns in a YAML file, and say --tables FILE (limpet help tables)", path)
	}
	return ""
}

func firstBytes(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	begin := make([]byte, peekBytes)
	n, _ := io.ReadFull(f, begin) // a short file is no error
	return begin[:n]
}

// isText says whether bytes are text. The last character may have been cut.
func isText(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == utf8.RuneError && len(b) >= utf8.UTFMax {
			return false
		}
		b = b[n:]
	}
	return true
}

// isTable says whether a first line is a header of at least two columns, and the
// second has as many.
func isTable(first, rest []byte) bool {
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	for _, separator := range []string{",", ";", "\t"} {
		if n := bytes.Count(first, []byte(separator)); n > 0 && (len(second) == 0 || bytes.Count(second, []byte(separator)) == n) {
			return true
		}
	}
	return false
}
