package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/raid"
)

// copyStep is the largest number of bytes that is copied at once. It is more than any stripe, and
// half of a batch of eight members.
const copyStep = 4 << 20

type raidCopyFlags struct {
	raidFlags
	offset, length int64
}

func newRaidRead() *cobra.Command {
	f := raidCopyFlags{raidFlags: raidFlags{readOnly: true}}
	cmd := &cobra.Command{
		Use:   "read MEMBER...",
		Short: "print the data of an array to standard output",
		Long: `Read the data of an array and write them to standard output. Nothing is written to
the members, so a missing member stays valid and can be added again later.`,
		Example: `  limpet raid read d0 d1 d2 d3 p q > image
  limpet raid read --offset 1M --length 4K --degraded d0 missing d2 d3 p q | hexdump -C`,
		Args: raidMembers,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return f.use(cmd, paths, func(a *raid.Array) error { return f.read(cmd, a) })
		},
	}
	f.bind(cmd)
	f.bindPolicy(cmd)
	cmd.Flags().Var(bounded.Bytes(&f.offset, 0, longestArray), "offset", "position of the first byte in the array")
	cmd.Flags().Var(bounded.Bytes(&f.length, 0, longestArray), "length", "number of bytes to read (default: to the end)")
	return cmd
}

func (f *raidCopyFlags) read(cmd *cobra.Command, a *raid.Array) error {
	if f.offset > a.Size() {
		return usageError{fmt.Errorf("--offset %d is beyond the end of the array, which has %d bytes", f.offset, a.Size())}
	}
	length := a.Size() - f.offset
	if cmd.Flags().Changed("length") {
		length = f.length
	}
	if f.offset > a.Size()-length {
		return usageError{fmt.Errorf("cannot read %d bytes at position %d: the array has only %d bytes", length, f.offset, a.Size())}
	}
	show, end := percent(cmd)
	defer end()
	from := io.NewSectionReader(a, f.offset, length)
	_, err := copyAll(cmd.Context(), cmd.OutOrStdout(), from, copyStep, copyStep, func(done int64) { show(done, length) })
	return err
}

func newRaidWrite() *cobra.Command {
	var f raidCopyFlags
	cmd := &cobra.Command{
		Use:   "write MEMBER...",
		Short: "write standard input to an array",
		Long: `Write standard input to an array. When the command ends without an error, the data
are safe on the members. If the command is killed, each stripe holds either its old
or its new data.`,
		Example: `  limpet raid write d0 d1 d2 d3 p q < image`,
		Args:    raidMembers,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return f.use(cmd, paths, func(a *raid.Array) error { return f.write(cmd, a) })
		},
	}
	f.bind(cmd)
	cmd.Flags().Var(bounded.Bytes(&f.offset, 0, longestArray), "offset", "position of the first byte in the array")
	return cmd
}

func (f *raidCopyFlags) write(cmd *cobra.Command, a *raid.Array) error {
	show, end := percent(cmd)
	defer end()
	to := io.NewOffsetWriter(a, f.offset)
	first, step := wholeStripes(a.Geometry(), f.offset)
	from := &interruptible{cmd.Context(), cmd.InOrStdin()}
	n, err := copyAll(cmd.Context(), to, from, first, step, func(done int64) { show(done, a.Size()-f.offset) })
	if err != nil {
		return fmt.Errorf("the write stopped after %d bytes: %w", n, err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d bytes written at position %d\n", n, f.offset)
	return nil
}

// wholeStripes returns the length of the first write, which begins at offset, and of all later
// writes. Every write ends at the end of a stripe. A process that is killed between two writes
// therefore leaves no stripe half written.
func wholeStripes(g raid.Geometry, offset int64) (first, step int) {
	stripe := g.Data * raid.ChunkSize
	step = copyStep / stripe * stripe
	return step - int(offset%int64(stripe)), step
}

var errInterrupted = errors.New("interrupted")

// interruptible is a reader whose Read returns when the context is done, even if no data have come.
// The buffer must not be used after such a Read: the data may still arrive in it.
type interruptible struct {
	ctx  context.Context
	from io.Reader
}

// Read reads into p. It returns errInterrupted if the context is done first.
func (r *interruptible) Read(p []byte) (int, error) {
	type answer struct {
		n   int
		err error
	}
	read := make(chan answer, 1)
	go func() {
		n, err := r.from.Read(p)
		read <- answer{n, err}
	}()
	select {
	case a := <-read:
		return a.n, a.err
	case <-r.ctx.Done():
		return 0, errInterrupted
	}
}

// copyAll copies in steps until the end of the input or until an interrupt. It writes a step only
// if the whole step could be read, or if the input has ended. After an interrupt it writes nothing,
// not even at the end of the input: the interrupt may have ended the program that writes the input.
func copyAll(ctx context.Context, w io.Writer, r io.Reader, first, step int, show func(done int64)) (done int64, err error) {
	buf := make([]byte, step)
	for next := buf[:first]; ; next = buf {
		n, err := io.ReadFull(r, next)
		end := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		switch {
		case ctx.Err() != nil:
			return done, errInterrupted
		case err != nil && !end:
			return done, err
		}
		if _, err := w.Write(next[:n]); err != nil {
			return done, err
		}
		done += int64(n)
		show(done)
		if end {
			return done, nil
		}
	}
}
