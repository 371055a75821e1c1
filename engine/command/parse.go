package command

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/zoned"
	"github.com/limpet-storage/limpet/topology"
)

// A feedback file has one command per line: time, verb and component. A component is written with
// its name in the topology. The name of a server, controller, array or LUN means all components
// that belong to it. A pattern means all components whose names match. A # begins a remark, except
// in the text of a comment.
//
//	# ddn12's drawer was restarted
//	2011-05-18T00:30:00Z resolve ddn12
//	2011-05-18T09:00:00Z mute    fs49    # waits for its reboot
//	2011-05-18T09:05:00Z comment fs49    reboot is planned for July, ticket #4711
//	2011-07-06T21:00:00Z unmute  fs49

// Bounds of a feedback file. If a user gives another file by mistake, the program must not use up
// all memory to read it.
const (
	maxLineBytes = 4 << 10  // greatest length of a line
	maxBytes     = 64 << 20 // greatest size of the file; 200,000 commands take about 12 MB
	maxNamed     = 1 << 24  // greatest number of components that all lines of a file together may name
	maxErrors    = 100      // greatest number of wrong lines that the error names
)

// Parse reads a feedback file and returns its commands in order of time. If lines are wrong, the
// error names the first hundred wrong lines and the number of further wrong lines. Parse still
// returns the commands of all other lines.
func Parse(name string, r io.Reader, system *topology.System) ([]Command, error) {
	p := &parser{system: system, matcher: topology.NewMatcher(system), matched: map[string][]string{}}
	limited := &io.LimitedReader{R: r, N: maxBytes + 1}
	lines := bufio.NewReaderSize(limited, maxLineBytes)
	for n := 1; ; n++ {
		line, err := readLine(lines)
		if limited.N == 0 {
			p.failf("%s: the file has more than %d MB, which is the limit; the lines after line %d were not read", name, maxBytes>>20, n-1)
			break
		}
		if err == io.EOF && line == "" {
			break
		}
		if err == nil || err == io.EOF {
			err = p.line(line)
		} else if !errors.Is(err, errLong) {
			p.failf("%s: %w", name, err)
			break
		}
		if errors.Is(err, errMany) {
			p.failf("%s:%d: %w; the lines after this line were not read", name, n, err)
			break
		}
		if err != nil {
			p.failf("%s:%d: %w", name, n, err)
		}
	}
	if p.more > 0 {
		p.errs = append(p.errs, fmt.Errorf("%s: %d more lines have errors, which are not shown", name, p.more))
	}
	slices.SortStableFunc(p.found, func(a, b Command) int { return cmp.Compare(a.Time, b.Time) })
	return p.found, errors.Join(p.errs...)
}

var errMany = fmt.Errorf("the commands up to this line name more than %d components, which is the limit; name fewer components, or name a whole server instead of its components", maxNamed)

var errLong = fmt.Errorf("the line has more than %d bytes, which is the limit", maxLineBytes)

// readLine reads a line. If the line is too long, readLine skips it and returns errLong.
func readLine(r *bufio.Reader) (string, error) {
	b, err := r.ReadSlice('\n')
	line := string(b)
	if err != bufio.ErrBufferFull {
		return line, err
	}
	for err == bufio.ErrBufferFull {
		_, err = r.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return "", errLong
}

// parser collects the commands and the errors of a feedback file.
type parser struct {
	system  *topology.System
	matcher *topology.Matcher
	matched map[string][]string // by name in the file: the names of the matching components
	named   int                 // number of components that the lines so far name
	found   []Command
	errs    []error
	more    int // wrong lines beyond maxErrors
}

func (p *parser) failf(format string, args ...any) {
	if len(p.errs) == maxErrors {
		p.more++
		return
	}
	p.errs = append(p.errs, fmt.Errorf(format, args...))
}

// line parses one line of the file. It skips an empty line.
func (p *parser) line(text string) error {
	fields := fieldsOf(text)
	comment := len(fields) > 1 && Verb(fields[1]) == Comment
	if !comment {
		text, _, _ = strings.Cut(text, "#")
		fields = fieldsOf(text)
	}
	if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
		return nil
	}
	if len(fields) < 3 || comment != (len(fields) > 3) {
		return fmt.Errorf("the line %q has %d words; write TIME COMMAND COMPONENT, with the command resolve, accept, mute or unmute, or write TIME comment COMPONENT TEXT", strings.TrimSpace(text), len(fields))
	}
	return p.fields(fields)
}

// fieldsOf returns the words of a line. A time may have a space between its day and its hour, as in a
// report and in --since; it is one word.
func fieldsOf(line string) []string {
	fields := strings.Fields(line)
	if len(fields) < 2 || !strings.Contains(fields[1], ":") { // no command has a colon
		return fields
	}
	if _, err := time.Parse(time.DateOnly, fields[0]); err != nil {
		return fields
	}
	return append([]string{fields[0] + " " + fields[1]}, fields[2:]...)
}

func (p *parser) fields(fields []string) error {
	at, err := zoned.Parse(fields[0])
	if err != nil {
		return fmt.Errorf("time %q cannot be read; write a time with its zone, such as 2011-05-18T00:30:00Z", fields[0])
	}
	c := Command{Time: at.Unix(), Verb: Verb(fields[1]), Name: fields[2], Text: strings.Join(fields[3:], " ")}
	if !slices.Contains([]Verb{Resolve, Accept, Mute, Unmute, Comment}, c.Verb) {
		return fmt.Errorf("command %q is unknown; use resolve, accept, mute, unmute or comment", fields[1])
	}
	if c.Components = p.match(c.Name); len(c.Components) == 0 {
		return fmt.Errorf("no component has the name %q; write the name of a component as in a report, or the name of a server, controller, array or LUN", c.Name)
	}
	if p.named += len(c.Components); p.named > maxNamed {
		return errMany
	}
	p.found = append(p.found, c)
	return nil
}

// match returns the names of the components that a name in the file means. It looks up each name
// only once, so lines with the same name share the list.
func (p *parser) match(name string) []string {
	list, known := p.matched[name]
	if !known {
		for _, c := range p.matcher.Match(name) {
			list = append(list, p.system.Components[c].Name)
		}
		p.matched[name] = list
	}
	return list
}
