package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/cmd/manual"
	"github.com/limpet-storage/limpet/internal/outfile"
	build "github.com/limpet-storage/limpet/internal/version"
)

// addTopics adds the topics of help. If a topic has the name of a command, its text is part of the
// help of this command. A text is rendered when it is shown.
func addTopics(root *cobra.Command) {
	topics := map[string]manual.Topic{}
	for _, t := range manual.Topics() {
		topics[t.Name] = t
		if c, _, err := root.Find([]string{t.Name}); err != nil || c == root {
			root.AddCommand(&cobra.Command{Use: t.Name, Short: t.Short})
		}
	}
	usual := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if t, ok := topics[cmd.Name()]; ok && cmd.Parent() == root {
			cmd.Long = strings.TrimLeft(cmd.Long+"\n\n"+t.Plain(), "\n")
		}
		usual(cmd, args)
	})
}

// printHelp prints a help, and returns the error of writing it.
func printHelp(usual func(*cobra.Command, []string), cmd *cobra.Command, args []string) error {
	out := &helpWriter{w: cmd.OutOrStdout()}
	cmd.SetOut(out)
	usual(cmd, args)
	cmd.SetOut(out.w)
	return out.err
}

// helpWriter keeps the first error of a writer.
type helpWriter struct {
	w   io.Writer
	err error
}

func (h *helpWriter) Write(p []byte) (int, error) {
	n, err := h.w.Write(p)
	if h.err == nil {
		h.err = err
	}
	return n, err
}

// newHelp returns the command that shows the help of commands and topics.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "show the help of a command or a topic",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			parent, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var list []string
			for _, c := range parent.Commands() {
				if !c.Hidden {
					list = append(list, c.Name()+"\t"+c.Short)
				}
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, left, err := cmd.Root().Find(args)
			if err != nil || len(left) > 0 {
				name := args[len(args)-max(len(left), 1)]
				return usageError{fmt.Errorf("%w; limpet help tour lists all pages of the documentation", unknown(cmd.Root(), "command or help topic", name))}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// newManual returns the command that writes man pages and completions, which packages install.
func newManual() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "manual --dir DIRECTORY",
		Short: "write man pages and shell completions to a directory",
		Long: `Write the man pages of all commands and topics to the subdirectory man, and the
completions for bash, zsh and fish to the subdirectory completions. Packages install
these files. The date in the pages is taken from the variable SOURCE_DATE_EPOCH,
so that the same source always gives the same bytes.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return usageError{errors.New("name the directory to write to: --dir DIRECTORY")}
			}
			return errors.Join(writePages(cmd.Root(), dir), writeCompletions(cmd.Root(), dir))
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "`directory` to write to (required)")
	return cmd
}

func writePages(root *cobra.Command, dir string) error {
	date := time.Now()
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("the variable SOURCE_DATE_EPOCH must be a number of seconds, but it is %q", text)
		}
		date = time.Unix(seconds, 0)
	}
	dir = filepath.Join(dir, "man")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range manual.Pages(root, manual.Edition{Version: build.Get().Version, Date: date}) {
		err := outfile.Write(root.Context(), filepath.Join(dir, p.Name), func(w io.Writer) error {
			_, err := io.WriteString(w, p.Content)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func writeCompletions(root *cobra.Command, dir string) error {
	dir = filepath.Join(dir, "completions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		outfile.Write(root.Context(), filepath.Join(dir, "limpet.bash"), func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }),
		outfile.Write(root.Context(), filepath.Join(dir, "_limpet"), root.GenZshCompletion),
		outfile.Write(root.Context(), filepath.Join(dir, "limpet.fish"), func(w io.Writer) error { return root.GenFishCompletion(w, true) }),
	)
}

// namePapers adds the full names of papers to the help of each command that cites papers by short
// names.
func namePapers(cmd *cobra.Command) {
	texts := []string{cmd.Long, cmd.Example}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { texts = append(texts, f.Usage) })
	for _, c := range cmd.Commands() {
		namePapers(c)
		texts = append(texts, c.Short)
	}
	if lines := manual.NamePapers(strings.Join(texts, "\n")); lines != "" && cmd.Runnable() {
		cmd.Long += "\n\n" + lines
	}
}
