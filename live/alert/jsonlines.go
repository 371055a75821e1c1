// The types File and Stream write each notification as one line.
//
// File writes JSON. It opens the file for each batch, so that after a rotation it writes into the
// new file. It syncs the file before a notification counts as delivered.
//
// Stream writes JSON too, or sentences for journald. A line for journald begins with its syslog
// priority: <2> for a critical alert that fires, <5> for the same alert when it is resolved.

package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/internal/printable"
)

// maxLinesPerBatch is the largest number of lines in a batch. File syncs once after each batch.
const maxLinesPerBatch = 100

// File appends notifications to a file, as JSON lines.
type File struct{ path string }

// NewFile returns a sender that appends to a file. It creates nothing. It returns an error if the
// file cannot be written, so that a wrong path is reported at the start. The parameter `later` is a
// directory that may be missing now: the caller creates it before the first notification. If `later`
// is empty, the caller creates no directory.
func NewFile(path, later string) (*File, error) {
	return &File{path}, outfile.CheckAppend(path, later)
}

// Create creates the file if it does not exist, so that programs that follow the file find it.
func (f *File) Create() error { return f.append(nil) }

// Policy returns the largest size of a batch. There are no reminders.
func (*File) Policy() Policy { return Policy{MaxBatch: maxLinesPerBatch} }

// Send appends lines. A process that was killed may have left an incomplete line at the end of the
// file. File.append ends the incomplete line with a line break, and then writes the new lines. So
// each new line is complete JSON.
func (f *File) Send(_ context.Context, b Batch) error {
	text, err := lines(b)
	if err != nil {
		return err
	}
	return f.append(text)
}

// append writes text to the end of the file and syncs the file. It opens the file for each batch,
// because after a rotation a new file is at the path.
func (f *File) append(text []byte) error {
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	defer file.Close()
	if len(text) == 0 {
		return nil
	}
	size, err := endLine(file)
	if err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		return errors.Join(err, file.Truncate(size)) // on a full disk, leave no incomplete line
	}
	return file.Sync()
}

// endLine adds a line break if the file does not end with a line break. It returns the size of the
// file, including this line break.
func endLine(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 || !info.Mode().IsRegular() {
		return 0, err
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, info.Size()-1); err != nil {
		return 0, err
	}
	if last[0] == '\n' {
		return info.Size(), nil
	}
	_, err = file.WriteString("\n")
	return info.Size() + 1, err
}

// Stream writes notifications to a stream such as standard output.
type Stream struct {
	out     io.Writer
	journal bool
}

// NewStream returns a sender that writes JSON lines to a stream.
func NewStream(to io.Writer) *Stream { return &Stream{out: to} }

// NewJournal returns a sender for a stream that journald reads. The sender writes sentences. Each
// line begins with its syslog priority.
func NewJournal(to io.Writer) *Stream { return &Stream{to, true} }

// Policy returns the largest size of a batch. There are no reminders.
func (*Stream) Policy() Policy { return Policy{MaxBatch: maxLinesPerBatch} }

// Send writes one line for each new notification: a sentence for journald, or else JSON.
func (s *Stream) Send(_ context.Context, b Batch) error {
	text, err := lines(b)
	if s.journal {
		text, err = sentences(b), nil
	}
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}

func lines(b Batch) ([]byte, error) {
	var out bytes.Buffer
	write := json.NewEncoder(&out)
	write.SetEscapeHTML(false)
	for i := range b.New {
		if err := write.Encode(&b.New[i]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// priorities maps a severity to its syslog priority: 2 is critical, 4 is warning, 6 is
// informational.
var priorities = map[Severity]int{Critical: 2, Warning: 4, Info: 6}

const notice = 5

// sentences returns lines such as
//
//	<2>limpet: firing [ec082432] LUN 1.0 answers 2.49 times slower than its peers: 2.49 times slower than 11 peers, since 2011-03-13 09:15Z
func sentences(b Batch) []byte {
	var out bytes.Buffer
	for i := range b.New {
		n := &b.New[i]
		priority := priorities[n.Severity]
		if n.State == Resolved {
			priority = max(priority, notice)
		}
		name := n.Incident
		if name == "" {
			name = n.Alert
		}
		text := fmt.Sprintf("%s [%s] %s: %s", n.State, name, n.Headline, n.Number)
		if n.LimpetAction != "" {
			text += ". " + n.LimpetAction
		}
		fmt.Fprintf(&out, "<%d>limpet: %s\n", priority, printable.Text(strings.ReplaceAll(text, "\n", " ")))
	}
	return out.Bytes()
}
