package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/lab/evaluate"
	"github.com/limpet-storage/limpet/report/picture"
)

// progress is a stream that shows on a terminal how far the data have been read. Without a
// terminal, it shows nothing.
type progress struct {
	table.Stream
	w     io.Writer
	shown time.Time
}

// progressEvery is the shortest time between two changes of the line.
const progressEvery = 200 * time.Millisecond

// withProgress wraps a source so that it shows progress and stops when the
// command is interrupted.
func withProgress(cmd *cobra.Command, s ingest.Source) (table.Stream, *progress) {
	p := &progress{Stream: ingest.Stream(cmd.Context(), s), w: io.Discard}
	if f := terminal(cmd); f != nil {
		p.w = f
	}
	return p, p
}

func (p *progress) Next() (*table.Row, error) {
	row, err := p.Stream.Next()
	if err != nil {
		return nil, interrupted(err)
	}
	if p.w != io.Discard && time.Since(p.shown) > progressEvery {
		p.shown = time.Now()
		fmt.Fprintf(p.w, "\r%s …", time.Unix(row.End, 0).UTC().Format("2006-01-02 15:04"))
	}
	return row, nil
}

// interrupted replaces the error of a cancelled context by a plain text.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	return err
}

// done clears the line of progress.
func (p *progress) done() {
	if !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// terminal returns standard error if it is a terminal, and nil if not.
func terminal(cmd *cobra.Command) *os.File {
	if f, ok := cmd.ErrOrStderr().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// showSteps shows on a terminal how many steps are done, and the remaining time. Without a
// terminal, it shows nothing.
func showSteps(cmd *cobra.Command, what string) (tell evaluate.Progress, done func()) {
	f := terminal(cmd)
	if f == nil {
		return nil, func() {}
	}
	begin := time.Now()
	fmt.Fprintf(f, "\r%s …", what)
	return func(done, total int) {
		left := time.Duration(float64(time.Since(begin)) / float64(done) * float64(total-done)).Round(time.Second)
		fmt.Fprintf(f, "\r\x1b[K%s: %d of %d, %v left", what, done, total, left)
	}, func() { fmt.Fprint(f, "\r\x1b[K") }
}

// percent shows on a terminal which percentage is done. Without a terminal, it shows nothing.
func percent(cmd *cobra.Command) (show func(done, total int64), end func()) {
	f := terminal(cmd)
	if f == nil {
		return func(int64, int64) {}, func() {}
	}
	var shown time.Time
	show = func(done, total int64) {
		if time.Since(shown) > progressEvery && total > 0 {
			shown = time.Now()
			fmt.Fprintf(f, "\r%3d %% …", 100*done/total)
		}
	}
	return show, func() { fmt.Fprint(f, "\r\x1b[K") }
}

// showShare shows on a terminal which share is done, and the remaining time. Without a terminal, it
// shows nothing.
func showShare(cmd *cobra.Command, what string) (tell func(done, total int64), done func()) {
	f := terminal(cmd)
	if f == nil {
		return nil, func() {}
	}
	begin, shown := time.Now(), time.Time{}
	return func(done, total int64) {
		if time.Since(shown) < progressEvery || done <= 0 || total <= 0 {
			return
		}
		shown = time.Now()
		left := time.Duration(float64(time.Since(begin)) / float64(done) * float64(total-done)).Round(time.Second)
		fmt.Fprintf(f, "\r\x1b[K%s: %d %%, %v left", what, 100*done/total, left)
	}, func() { fmt.Fprint(f, "\r\x1b[K") }
}

// note shows a text on a terminal until done is called. Without a terminal, it shows nothing.
func note(cmd *cobra.Command, text string) (done func()) {
	f := terminal(cmd)
	if f == nil {
		return func() {}
	}
	fmt.Fprintf(f, "\r%s", text)
	return func() { fmt.Fprint(f, "\r\x1b[K") }
}

// columns returns the width of a terminal; 0 if w is not a terminal.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// pictures chooses the characters of pictures for an output.
func pictures(w io.Writer) picture.Style {
	f, ok := w.(*os.File)
	return picture.StyleFor(ok && term.IsTerminal(int(f.Fd())), os.Getenv)
}
