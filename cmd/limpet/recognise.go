package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/unpack"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// recognised explains the error for a file that is not an activity file: it names the kind of the
// file and the command that reads it.
func recognised(err error) error {
	refused, ok := errors.AsType[*sysstat.FormatError](err)
	if !ok {
		return err
	}
	head := headOf(refused.File)
	if own := tables.Recognised(head); own.Noun != "" {
		return fmt.Errorf("%s is not an activity file but %s: %s", refused.File, own.Noun, own.Advice)
	}
	if name, shows := tool.OtherOutput(string(head)); name != "" {
		return fmt.Errorf("%s is not an activity file but output of %s. This output shows %s and no latencies, so limpet cannot find slow components in it. Leave this file out", refused.File, name, shows)
	}
	what, tables := tables.Recognise(head)
	if format := tool.RecogniseHistogram(string(head)); format != nil {
		what, tables = format.Title, format.Name
	}
	if print := printOf(refused.File, head, tables); print != "" {
		return fmt.Errorf("%s is not an activity file but %s: to rank its components, run limpet look %[1]s", refused.File, print)
	}
	switch {
	case what == "":
		return err
	case tables == "":
		return fmt.Errorf("%s is not an activity file but %s", refused.File, what)
	case tables == "FILE":
		return fmt.Errorf("%s is not an activity file but %s. limpet needs a description file of its columns. To draft this file, run limpet diagnose --tables draft %[1]s > tables.yaml. Check this file, and add --tables tables.yaml (see limpet help tables)", refused.File, what)
	}
	return fmt.Errorf("%s is not an activity file but %s: add --tables %s", refused.File, what, tables)
}

// fewestReports is the least number of intervals with a time in a recording. limpet diagnose
// --tables reads recordings.
const fewestReports = 2

// printOf describes a file with one print of a tool, or a few. limpet look reads such files, and
// limpet diagnose does not. The parameter tables is the preset that reads the file as a recording.
func printOf(file string, head []byte, tables string) string {
	read := tool.ReadPrint(file, head)
	if len(read.Looks) == 0 {
		read = tool.ReadTable(file, head)
	}
	if len(read.Looks) == 0 {
		return ""
	}
	timed := 0
	for _, l := range read.Looks {
		if l.Time.Year() > 1 && l.Span == look.Interval {
			timed++
		}
	}
	if tables != "" && timed >= fewestReports || tables == "FILE" && timed > 0 {
		return ""
	}
	switch name, outputs := read.Looks[0].Tool, look.Count(read.Looks); {
	case name == tool.NumberTable:
		return name
	case outputs == 1:
		return "the output of " + name
	default:
		return fmt.Sprintf("%d outputs of %s", outputs, name)
	}
}

// explainWrongFile explains the error for a file that was given to the wrong flag: the file is a
// table, or another of limpet's own files.
func explainWrongFile(path string, err error, wanted tables.OwnFile) error {
	if err == nil {
		return nil
	}
	head := headOf(path)
	own := tables.Recognised(head)
	what, _ := tables.Recognise(head)
	switch {
	case own == wanted:
	case own.Noun != "":
		return fmt.Errorf("%s is not a %s but %s: %s", path, noun(wanted), own.Noun, own.Advice)
	case what != "":
		return fmt.Errorf("%s is not a %s but %s. To diagnose these data, give this file as PATH at the end of the command, without a flag before it", path, noun(wanted), what)
	}
	return err
}

func noun(own tables.OwnFile) string {
	_, noun, _ := strings.Cut(own.Noun, " ")
	return noun
}

// headOf returns the first bytes of a file, as far as they can be read. If the file is compressed,
// they are the first bytes of its content.
func headOf(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	src := bufio.NewReader(f)
	first, _ := src.Peek(unpack.MagicBytes)
	packed, err := unpack.NewReader(unpack.KindOf(first), src, unpack.MaxWindow)
	if err != nil {
		return nil
	}
	defer packed.Close()
	head, _ := io.ReadAll(io.LimitReader(packed, tables.Head))
	return head
}
