package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/study/render"
)

type studyDiffFlags struct{ format, page string }

func newStudyDiff() *cobra.Command {
	var f studyDiffFlags
	cmd := &cobra.Command{
		Use:   "diff A.json B.json",
		Short: "compare two periods or fleets, finding by finding",
		Long: `Compare two results of limpet study --format json: two periods of one fleet, or two
fleets. For each finding of both results, the report shows the difference with its
confidence interval, or states that the difference may be due to chance.`,
		Example: `  limpet study --format json fleet-1 > a.json
  limpet study --format json fleet-2 > b.json
  limpet study diff --html diff.html a.json b.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Errorf("name two files with results of limpet study --format json; you named %d files", len(args))}
			}
			return nil
		},
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: "+strings.Join(render.DiffFormats(), ", "))
	fs.StringVar(&f.page, "html", "", "also write an HTML page with tables and plots to `FILE`")
	return cmd
}

func (f *studyDiffFlags) run(cmd *cobra.Command, args []string) error {
	if !slices.Contains(render.DiffFormats(), f.format) {
		return usageError{fmt.Errorf("format %q is unknown: use one of %s", f.format, strings.Join(render.DiffFormats(), ", "))}
	}
	if err := foresee(cmd, output{flag: "html", path: f.page}); err != nil {
		return err
	}
	var results [2]*render.Result
	var names [2]string
	for i, name := range args {
		data, err := bounded.ReadFile(name, bounded.MaxResult, "a result of limpet study")
		if err != nil {
			return err
		}
		if results[i], err = render.Parse(name, data); err != nil {
			return err
		}
		names[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	if names[0] == names[1] {
		names = [2]string(args)
	}
	d := render.Compare(names, results[0], results[1])
	out := bufio.NewWriter(cmd.OutOrStdout())
	err := errors.Join(render.WriteDiff(out, f.format, d), out.Flush())
	page := output{"html", f.page, func(w io.Writer) error { return render.DiffHTML(w, d) }}
	return errors.Join(err, writeOutputs(cmd.Context(), page))
}
