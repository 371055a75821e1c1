package tool

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

// words makes a row of each line that has two words.
var words = TableFormat{Name: "words", Command: "wc", Columns: []string{"a", "b"}, Open: func(src *bufio.Reader) rowSource {
	return newLineSource(src, func(line string, rows *csvRows) error {
		if f := strings.Fields(line); len(f) == 2 {
			rows.Add(f...)
		}
		return nil
	})
}}

func TestLinesKeepTheirNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"title\nx y\n\nz \"q,r\"": "a,b\nx,y\n\nz,\"\"\"q,r\"\"\"\n",
	} {
		got, err := io.ReadAll(words.Reader(iotestOneByte{strings.NewReader(in)}))
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v, want %q", in, got, err, want)
		}
	}
}

// iotestOneByte hands out one byte at a time.
type iotestOneByte struct{ r io.Reader }

func (o iotestOneByte) Read(b []byte) (int, error) { return o.r.Read(b[:min(len(b), 1)]) }

func TestLongLine(t *testing.T) {
	_, err := io.ReadAll(words.Reader(strings.NewReader("title\n" + strings.Repeat("x", maxLine+1))))
	if err == nil || err.Error() != "line 2: the line has more than 1024 kB" {
		t.Errorf("got %v", err)
	}
}

func TestTime(t *testing.T) {
	for in, want := range map[string]string{
		"11/15/26 23:12:20":               "2026-11-15T23:12:20",
		"11/15/2026 11:12:20 PM":          "2026-11-15T23:12:20",
		"2026-11-15T23:12:23+0100":        "2026-11-15T22:12:23Z",
		"2026-11-15T23:12:23Z":            "2026-11-15T23:12:23Z",
		"2026-11-15 23:12:27 UTC":         "2026-11-15T23:12:27Z",
		"15.11.2026 23:12:20":             "2026-11-15T23:12:20",
		"1794784343":                      "1794784343",
		"Sun Nov 15 23:12:20 UTC 2026":    "2026-11-15T23:12:20Z",
		"Sun Nov  5 23:12:20 CET 2026":    "2026-11-05T23:12:20",
		"Sun 15 Nov 2026 11:12:20 PM UTC": "2026-11-15T23:12:20Z",
		"12":                              "",
		"avg-cpu:":                        "",
	} {
		if got, ok := normalTime(in); got != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestNothingOfIt(t *testing.T) {
	got, err := io.ReadAll(words.Reader(strings.NewReader("a title alone\n")))
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "give the output of wc") || string(got) != "a,b\n" {
		t.Errorf("%q, %v", got, err)
	}
}
