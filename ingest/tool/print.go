package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// A Print has the content of a file with the output of tools that ran once, or a few times.
type Print struct {
	Looks []look.Look
	Notes []Note   // messages about lines that could not be used, with advice
	Tools []string // the tools that were recognised, such as "iostat -x"
	Empty []Note   // messages about recognised tools whose output has no values; not shown if the file has other values
}

// A Note is a message about a line of a print.
type Note struct {
	Line int // number of the line; 0 if the note is about the whole file
	Text string
}

// A printFormat reads one kind of output of a tool. A text may have the output of several tools,
// with other lines between them. Each format uses the lines and the JSON documents that it
// understands, and ignores all other lines and documents.
type printFormat struct {
	name  string // name of the tool, as people write it
	signs []Sign // one of these signs is enough to recognise the print
	// Some outputs have no words that could be a sign. Then the pattern `form` recognises the
	// output. The field is nil if the signs are enough.
	form *lazyregexp.Regexp
	open func(b *printBuilder) printReader
}

// A printReader reads the lines and the JSON documents of a text, one after the other. If one of
// the functions `line`, `json` and `xml` returns an error, the error concerns only the text that
// was passed, and reading continues.
type printReader struct {
	line func(line string) error
	json func(document []byte) error
	xml  func(text []byte) error // reads a whole text that begins like XML
	end  func()
}

// printFormats lists the formats of prints.
var printFormats = []printFormat{
	iostatPrint, sarPrint, zpoolPrint, cephPerfPrint, cephSpacePrint, nvmePrint, brwPrint, exporterPrint, diskstatsPrint, glusterPrint,
}

// RecognisePrint returns the names of the tools that have printed a text. The parameter `head` is
// the beginning of the text.
func RecognisePrint(head string) (tools []string) {
	for i := range printFormats {
		if f := &printFormats[i]; f.matches(head) {
			tools = append(tools, f.name)
		}
	}
	return tools
}

func (f *printFormat) matches(text string) bool {
	return slices.ContainsFunc(f.signs, func(s Sign) bool { return s.matches(text) }) || f.form != nil && f.form.MatchString(text)
}

// mostPrint is the largest number of bytes of a print that is read. A print of a million drives
// is smaller.
const mostPrint = 512 << 20

// mostNotes is the largest number of notes about one file.
const mostNotes = 20

// ReadPrint reads the output of tools in a text. The parameter `file` is the name of the text's
// file. ReadPrint uses this name for components that the text does not name. If no known tool prints
// such a table, ReadTable reads the table instead.
func ReadPrint(file string, data []byte) Print {
	var p Print
	if len(data) > mostPrint {
		p.Notes = append(p.Notes, Note{Text: fmt.Sprintf("the file has more than %d MB: the rest of the file is left out", mostPrint>>20)})
		data = data[:mostPrint]
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data, 0) >= 0 {
		p.Notes = append(p.Notes, Note{Text: "the file is not text"})
		return p
	}
	text := string(data)
	for i := range printFormats {
		f := &printFormats[i]
		if !f.matches(text) {
			continue
		}
		b := newPrintBuilder(f.name, file)
		reader := f.open(b)
		if reader.xml != nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) {
			b.note(reader.xml(data))
		} else {
			b.read(data, reader)
		}
		b.finish(&p)
	}
	return p
}

// A printBuilder collects the looks of one tool from one text.
type printBuilder struct {
	tool, file string
	rows       csvRows // passes samples to this builder (csvRows.prints)
	looks      []look.Look
	number     int    // number of the current line
	clock      string // the time from the last line that has only a time, in the format of normalTime
	host       string // server of the current look
	hasOthers  bool   // true if samples of devices that are not drives were added
	skipped    bool   // true if iostat ran with -y, so that the first report is not the mean since the start
	notes      []Note
	found      bool
}

// If a device is not a drive, the name of its kind ends with notDrive, so that leaveOut recognises
// it.
const notDrive = " that are not drives"

func newPrintBuilder(tool, file string) *printBuilder {
	b := &printBuilder{tool: tool, file: file}
	b.rows.prints = b
	return b
}

// read passes the lines and JSON documents of a text to a reader.
func (b *printBuilder) read(data []byte, r printReader) {
	for len(data) > 0 {
		b.number++
		if r.json != nil && opensJSON(data) {
			size, err := documentSize(data)
			if err == nil {
				b.note(r.json(data[:size]))
			} else {
				b.note(fmt.Errorf("the JSON that begins in this line is incomplete or damaged (%w): give the complete output of the tool again", err))
			}
			b.number += bytes.Count(data[:size], []byte("\n")) - 1
			rest := data[size:]
			if end := bytes.IndexByte(rest, '\n'); end >= 0 && len(bytes.TrimSpace(rest[:end])) == 0 {
				rest = rest[end+1:]
				b.number++
			} else if len(bytes.TrimSpace(rest)) == 0 {
				rest = nil
			}
			data = rest
			continue
		}
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(line) > maxLine {
			b.note(errLongLine)
			continue
		}
		text := strings.TrimRight(string(line), "\r")
		if at, ok := b.rows.Dates.Time(text); ok {
			b.clock = at
		}
		if r.line != nil {
			b.note(r.line(text))
		}
	}
	if r.end != nil {
		r.end()
	}
}

// opensJSON reports whether a text begins with a JSON object or a list of objects. Spaces before
// the JSON are allowed.
func opensJSON(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' && line[0] != '[' {
		return false
	}
	rest := bytes.TrimLeft(line[1:], " \t[{")
	return len(rest) == 0 || rest[0] == '"' || rest[0] == '}' || rest[0] == ']'
}

// documentSize returns the number of bytes of the JSON document at the beginning of a text. A
// damaged document ends at the end of its damaged line.
func documentSize(data []byte) (int, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var raw json.RawMessage
	err := d.Decode(&raw)
	if err == nil {
		return int(d.InputOffset()), nil
	}
	size := len(data)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		size = min(int(syntax.Offset), size)
		if end := bytes.IndexByte(data[max(size-1, 0):], '\n'); end >= 0 {
			size = max(size-1, 0) + end
		} else {
			size = len(data)
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return max(size, 1), err
}

// readSource reads the whole JSON or XML output of a tool of sysstat.
func (b *printBuilder) readSource(src rowSource) error {
	for {
		err := src.Next(&b.rows)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// note adds an error as a note about the current line. It adds the same text only once.
func (b *printBuilder) note(err error) { b.noteAt(b.number, err) }

// noteAt adds an error as a note about the line with the given number. It adds the same text only
// once.
func (b *printBuilder) noteAt(line int, err error) {
	if err == nil || slices.ContainsFunc(b.notes, func(n Note) bool { return n.Text == err.Error() }) {
		return
	}
	if len(b.notes) < mostNotes {
		b.notes = append(b.notes, Note{line, err.Error()})
	}
}

// begin starts a new look and makes it the current look.
func (b *printBuilder) begin(host, at string, span look.Span) {
	l := look.Look{Tool: b.tool, Source: b.tool + " " + host, Span: span}
	l.Time, l.Zoned = parsePrintTime(at)
	b.host = host
	b.looks = append(b.looks, l)
}

// beginLook begins a look, unless the current look has the same server, time and span.
func (b *printBuilder) beginLook(host, at string, span look.Span) {
	when, _ := parsePrintTime(at)
	if n := len(b.looks); n > 0 {
		if l := &b.looks[n-1]; b.host == host && l.Time.Equal(when) && l.Span == span {
			return
		}
	}
	b.begin(host, at, span)
}

// add adds a sample to the current look.
func (b *printBuilder) add(s look.Sample) {
	if len(b.looks) == 0 || len(s.Values)+len(s.Counters) == 0 && s.Component == "" {
		return
	}
	s.Line = b.number
	l := &b.looks[len(b.looks)-1]
	l.Samples = append(l.Samples, s)
	b.found = true
}

// parsePrintTime parses a time in the default format of tables (see normalTime). The result is the
// zero time if the text is not a time.
func parsePrintTime(text string) (at time.Time, zoned bool) {
	if s, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Unix(s, 0).UTC(), true
	}
	local, zoned := strings.CutSuffix(text, "Z")
	at, err := time.Parse(localLayout, local)
	if err != nil {
		return time.Time{}, false
	}
	return at, zoned
}

// sysstatStep is the smallest difference between two numbers that a tool of sysstat prints: the
// numbers have two decimals.
const sysstatStep = 0.01

// drive adds the sample of a drive. It sets look.Value.Requests of a latency to the requests per
// second, because the length of the look is not known yet. Later the method finish multiplies
// Requests by this length in seconds. Requests is then the number of requests.
func (b *printBuilder) drive(s *driveSample, class string, known bool) {
	if len(b.looks) == 0 {
		return
	}
	if !known {
		class = ""
	}
	sample := look.Sample{Component: s.Device, Host: s.Host, Kind: strings.TrimSpace(class + " drives")}
	if s.Host != "" {
		sample.Component = s.Host + "/" + s.Device
	}
	if class == "dm" {
		sample.Kind = "dm devices"
	}
	if known && !devname.IsDrive(class) {
		sample.Kind, b.hasOthers = class+" devices"+notDrive, true
	}
	latency := func(m look.Metric, ms, rate float64) bool {
		if math.IsNaN(ms) || !(rate > 0) {
			return false
		}
		sample.Values = append(sample.Values, look.Value{Metric: m, X: ms, Requests: rate, Step: sysstatStep})
		return true
	}
	if !math.IsNaN(s.ReadAwait) {
		latency(look.ReadLatency, s.ReadAwait, s.ReadRate)
		latency(look.WriteLatency, s.WriteAwait, s.WriteRate)
	} else {
		latency(look.Latency, s.Await, s.TPS)
	}
	kB := s.ReadKB + s.WriteKB
	value(&sample, look.Requests, s.TPS)
	value(&sample, look.Bandwidth, kB)
	if s.TPS > 0 {
		value(&sample, look.ReqSize, kB/s.TPS)
	}
	value(&sample, look.InFlight, s.Queue)
	value(&sample, look.BusyTime, s.Util)
	b.add(sample)
}

// value adds a value to a sample if the tool has printed the value.
func value(s *look.Sample, m look.Metric, x float64) {
	if !math.IsNaN(x) {
		s.Values = append(s.Values, look.Value{Metric: m, X: x})
	}
}

// leastInterval and leastSinceStart are the assumed lengths of a look, in seconds, if the print
// does not state the length. leastInterval is the shortest interval of a tool. leastSinceStart is
// for a look that begins at the start of a server. Both are short on purpose. In a short look there
// are few requests, and limpet trusts the mean latency of few requests less.
const (
	leastInterval   = 1
	leastSinceStart = 600
)

// finish adds the looks to a print. It computes the length of each look, and converts requests per
// second to numbers of requests. It leaves out devices that are not drives, unless they do much of
// the work (muchWork).
func (b *printBuilder) finish(p *Print) {
	p.Tools = append(p.Tools, b.tool)
	p.Notes = append(p.Notes, b.notes...)
	if b.hasOthers {
		b.leaveOut(p)
	}
	last := map[string]time.Time{}
	for i := range b.looks {
		l := &b.looks[i]
		before := last[l.Source]
		last[l.Source] = l.Time
		seconds := l.Seconds
		switch {
		case seconds > 0:
		case l.Span != look.Interval:
			seconds = leastSinceStart
		case !before.IsZero() && l.Time.After(before):
			seconds = l.Time.Sub(before).Seconds()
			l.Seconds = seconds
		default:
			seconds = leastInterval
		}
		for j := range l.Samples {
			for k := range l.Samples[j].Values {
				l.Samples[j].Values[k].Requests *= seconds
			}
		}
		if len(l.Samples) > 0 {
			p.Looks = append(p.Looks, *l)
		}
	}
	if !b.found {
		p.Tools = p.Tools[:len(p.Tools)-1]
	}
	if !b.found && len(b.notes) == 0 {
		p.Empty = append(p.Empty, Note{Text: "the file looks like output of " + b.tool + ", but it has no component with values: give the complete output of the tool"})
	}
}

// muchWork is a share of all requests. Devices that are not drives are compared only if they have
// at least this share, for example in a test with loop devices.
const muchWork = 0.1

// leaveOut removes samples of devices that are not drives, unless these devices do much of the work
// (muchWork).
func (b *printBuilder) leaveOut(p *Print) {
	other := func(s look.Sample) bool { return strings.HasSuffix(s.Kind, notDrive) }
	all, others := 0.0, 0.0
	for _, l := range b.looks {
		for _, s := range l.Samples {
			work := workOf(&s)
			all += work
			if other(s) {
				others += work
			}
		}
	}
	drives := others < muchWork*all || all == 0
	var names []string
	for i := range b.looks {
		l := &b.looks[i]
		for j := range l.Samples {
			if s := &l.Samples[j]; other(*s) {
				if !slices.Contains(names, s.Component) {
					names = append(names, s.Component)
				}
				if !drives {
					s.Kind = strings.TrimSuffix(s.Kind, notDrive)
				}
			}
		}
		if drives {
			l.Samples = slices.DeleteFunc(l.Samples, other)
		}
	}
	if drives {
		p.Notes = append(p.Notes, Note{Text: "these devices are left out, because they are not drives: " + fewNames(names)})
	}
}

// workOf returns the requests per second of a sample. If the tool prints a counter of requests
// instead, the result is the count.
func workOf(s *look.Sample) float64 {
	for _, v := range s.Values {
		if v.Metric == look.Requests {
			return v.X
		}
	}
	for _, c := range s.Counters {
		if c.Metric == look.Requests {
			return c.Sum
		}
	}
	return 0
}

// fewNames returns a text with the first names, and the number of the other names.
func fewNames(names []string) string {
	const few = 3
	if len(names) <= few+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// ParseTimeLine parses a line that contains only a time. Scripts print such a line before the
// output of a tool. The result `zoned` is false if the time is a local time.
func ParseTimeLine(line string) (at time.Time, zoned, ok bool) {
	var d Dates
	text, ok := d.Time(line)
	if !ok {
		return time.Time{}, false, false
	}
	at, zoned = parsePrintTime(text)
	return at, zoned, !at.IsZero()
}
