package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// An output is a file that a flag names. If path is empty, nothing is written.
type output struct {
	flag, path string
	write      func(io.Writer) error
}

// foresee returns an error if two flags name the same file. It warns about files that cannot be
// written, because a command may run for hours. This is only a warning: the command still prints
// its results, and then the error. The context of the command holds the files with a warning, so
// that the error does not repeat the warning.
func foresee(cmd *cobra.Command, outputs ...output) error {
	flags, warned := map[string]string{}, map[string]bool{}
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		if other, twice := flags[o.path]; twice && !isDevice(o.path) {
			return usageError{fmt.Errorf("--%s and --%s both name the file %s: name two different files", other, o.flag, o.path)}
		}
		flags[o.path] = o.flag
		if err := outfile.Check(o.path); err != nil {
			printWarnings(cmd.ErrOrStderr(), []string{err.Error()})
			warned[o.path] = true
		}
	}
	if len(warned) > 0 {
		cmd.SetContext(context.WithValue(cmd.Context(), warnedKey{}, warned))
	}
	return nil
}

// warnedKey is the key of the files with a warning in the context of a command.
type warnedKey struct{}

// isDevice reports whether a path is not a regular file, such as /dev/null.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// writeOutputs writes all files that can be written. Call it after the text is printed on standard
// output, so that a file with an error does not prevent the text.
func writeOutputs(ctx context.Context, outputs ...output) error {
	var errs []error
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		err := outfile.Write(ctx, o.path, o.write)
		if warned, _ := ctx.Value(warnedKey{}).(map[string]bool); err != nil && warned[o.path] {
			err = fmt.Errorf("%s was not written; the first warning above states the reason", o.path)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
