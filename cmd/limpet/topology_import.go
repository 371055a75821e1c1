package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
	"github.com/limpet-storage/limpet/topology/site/draft"
)

// importFlags are the flags of limpet topology import and discover.
type importFlags struct {
	name, output, devices, host string
	sources, force              bool
}

func newTopologyImport() *cobra.Command {
	f := importFlags{}
	cmd := &cobra.Command{
		Use:   "import FILE|DIR|URL...",
		Short: "draft a topology file from the output of your own tools",
		Long: `Read the output of your tools (GPFS, Lustre, Ceph, ZFS, md, multipath, lsblk,
lsscsi, SES enclosures, RAID controllers, GlusterFS, BeeGFS, HDFS), copies of /sys,
activity files, and Prometheus with node_exporter or Ceph. Write a topology file
with comments that mark guesses and values that you should check. limpet recognises
the format of a file from its content, and joins several sources. docs/topology.md
lists the commands whose output is useful, for each kind of site.`,
		Args: someFiles,
		RunE: f.run,
	}
	f.bind(cmd)
	cmd.Flags().BoolVar(&f.sources, "sources", false, "only print how many devices and volumes each file has; do not write a topology file")
	cmd.Flags().StringVar(&f.host, "host", "", "for files that do not name their server: `REGEXP` for the path of a file, with one group that matches the name of the server (default: the server has the name of the file or of its folder)")
	return cmd
}

func newTopologyDiscover() *cobra.Command {
	f := importFlags{}
	cmd := &cobra.Command{
		Use:   "discover DIR...",
		Short: "draft a topology file from activity files of limpet record or sadc",
		Long: `Read activity files and write down the topology that limpet diagnose finds in them
without a topology file: the same components under the same names, compared with the
same peers. You can then correct and extend the file. Files of limpet record hold the
names, WWNs, models, sizes and arrays of devices. Files of sadc hold only device
numbers and WWNs.`,
		Args: someFiles,
		RunE: f.discover,
	}
	f.bind(cmd)
	return cmd
}

func (f *importFlags) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "name", "site", "`NAME` of the storage system in reports")
	cmd.Flags().StringVar(&f.output, "output", "", "write the topology to `FILE` (default: standard output)")
	cmd.Flags().BoolVar(&f.force, "force", false, "if the file that --output names exists and differs from the draft, replace this file (default: keep the file, because somebody may have edited it)")
	cmd.Flags().StringVar(&f.devices, "devices", "auto", "`HOW` devices are named in the file: name, wwn, or auto (LUNs by WWN, drives by name)")
}

func someFiles(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{errors.New("give the name of at least one file or directory")}
	}
	return nil
}

func (f *importFlags) run(cmd *cobra.Command, roots []string) error {
	o, err := f.gatherOptions()
	if err != nil {
		return usageError{err}
	}
	done := note(cmd, "reading the output of the tools …")
	inv, sources, err := site.ReadFiles(cmd.Context(), roots, o)
	done()
	switch {
	case err != nil:
		return interrupted(err)
	case len(sources) == 0:
		return fmt.Errorf("%s: no files found: name a directory with the output of tools", strings.Join(roots, ", "))
	case f.sources:
		return printSources(cmd.OutOrStdout(), sources)
	}
	return f.draft(cmd, inv, sources)
}

// gatherOptions converts --host, which finds the server of a file, to options.
func (f *importFlags) gatherOptions() (o site.Options, err error) {
	if f.host == "" {
		return o, nil
	}
	host, err := regexp.Compile(f.host)
	if err != nil || host.NumSubexp() != 1 {
		return o, fmt.Errorf("--host %q cannot be used: write a regular expression with exactly one group for the server, such as '([^/]+)/[^/]*$'", f.host)
	}
	o.Host = func(path string) string {
		if m := host.FindStringSubmatch(path); m != nil {
			return m[1]
		}
		return ""
	}
	return o, nil
}

// discover drafts the topology of the system that diagnose finds without a topology.
func (f *importFlags) discover(cmd *cobra.Command, roots []string) error {
	o := draft.Options{Name: f.name}
	if err := f.chooseDevices(&o); err != nil {
		return err
	}
	diagnosis := engine.DefaultOptions()
	reading := activity.ForDiagnosis(&diagnosis)
	reading.Peers = topology.PeersAuto
	done := note(cmd, "reading the devices in the files …")
	system, files, warnings, err := activity.Discover(cmd.Context(), roots, reading)
	done()
	if _, other := errors.AsType[*sysstat.FormatError](err); other {
		return fmt.Errorf("%w; to draft a topology from the output of tools, use limpet topology import", err)
	}
	if err != nil {
		return interrupted(err)
	}
	o.Source = english.Count(files, "activity file")
	var texts []string
	for _, w := range warnings {
		texts = append(texts, w.String())
	}
	printWarnings(cmd.ErrOrStderr(), texts)
	text, err := draft.System(system, o)
	if err != nil {
		return err
	}
	return f.finish(cmd, text, o.Source, false)
}

// draft joins the inventories of the sources, drafts the topology, and passes it to finish.
func (f *importFlags) draft(cmd *cobra.Command, inv site.Inventory, sources []site.Source) error {
	o := draft.Options{Name: f.name, Source: describeSources(sources), Guessed: guessedHosts(sources)}
	if err := f.chooseDevices(&o); err != nil {
		return err
	}
	joined := site.Join(inv)
	text, err := draft.Topology(joined, o)
	f.warn(cmd, joined.Notes, sources)
	if err != nil {
		return err
	}
	return f.finish(cmd, text, o.Source, true)
}

// chooseDevices converts --devices to options.
func (f *importFlags) chooseDevices(o *draft.Options) error {
	switch f.devices {
	case "auto":
	case "name":
		o.Names = true
	case "wwn":
		o.WWNs = true
	default:
		return usageError{fmt.Errorf("--devices %q is unknown: use auto, name or wwn", f.devices)}
	}
	return nil
}

// finish parses the draft as diagnose will, and writes it. A draft that is not valid is a defect of
// limpet. If warn is true, finish prints the warnings of the draft.
func (f *importFlags) finish(cmd *cobra.Command, text []byte, source string, warn bool) error {
	system, warnings, err := topology.Parse("the draft", text)
	if err != nil {
		return fmt.Errorf("the draft of the topology is not valid. This is a fault of limpet; please report this error: %w", err)
	}
	for _, w := range warnings {
		if warn {
			fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: %s\n", w)
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "limpet: drafted %s from %s\n", sizeOf(system), source)
	return f.write(cmd, text)
}

func (f *importFlags) write(cmd *cobra.Command, text []byte) error {
	if f.output == "" {
		_, err := cmd.OutOrStdout().Write(text)
		return err
	}
	if differs(f.output, text) && !f.force {
		return fmt.Errorf("%s exists and differs from the draft, so it is kept: name another file, or replace it with --force", f.output)
	}
	return outfile.Write(cmd.Context(), f.output, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(text))
		return err
	})
}

// differs reports whether a path names a regular file with another content than text. An
// empty file does not count.
func differs(path string, text []byte) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	if info.Size() != int64(len(text)) {
		return true
	}
	old, err := bounded.ReadFile(path, int64(len(text)), "a topology file")
	return err != nil || !bytes.Equal(old, text)
}

// warn prints which files were refused, and the notes about others.
func (f *importFlags) warn(cmd *cobra.Command, notes []site.Note, sources []site.Source) {
	var warnings []string
	for _, s := range sources {
		if s.Refused != "" {
			warnings = append(warnings, fmt.Sprintf("%s was not used: %s", s.File, s.Refused))
		}
	}
	for _, n := range notes {
		warnings = append(warnings, n.String())
	}
	printWarnings(cmd.ErrOrStderr(), warnings)
}

// describeSources returns a text such as "130 files (gpfs 1, multipath 128, not used 1)".
func describeSources(sources []site.Source) string {
	counts := map[string]int{}
	for _, s := range sources {
		for _, format := range s.Formats {
			counts[format]++
		}
		if s.Refused != "" && len(s.Formats) == 0 {
			counts["not used"]++
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return english.Count(len(sources), "file") + " (" + strings.Join(parts, ", ") + ")"
}

func guessedHosts(sources []site.Source) []string {
	hosts := map[string]bool{}
	for _, s := range sources {
		if s.Guessed != "" {
			hosts[s.Guessed] = true
		}
	}
	return slices.SortedFunc(maps.Keys(hosts), topology.Compare)
}

// printSources prints a line for each file.
func printSources(w io.Writer, sources []site.Source) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "file\tformat\tdevices\tvolumes\treason if not used")
	parsed := 0
	for _, s := range sources {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\n", s.File, strings.Join(s.Formats, ","), s.Devices, s.Volumes, s.Refused)
		if s.Refused == "" {
			parsed++
		}
	}
	fmt.Fprintf(table, "%s used, %d not used\t\t\t\t\n", english.Count(parsed, "file"), len(sources)-parsed)
	return table.Flush()
}
