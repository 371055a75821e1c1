package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// offered holds the values of flags for completion, by the name of the flag, for all commands.
// Values that the usage of a flag lists after a colon need no entry here.
var offered = map[string]func() []string{
	"method":   engine.Methods,
	"measure":  persistence.Measures,
	"metric":   func() []string { return append(metricNames(metric.All()), "all") },
	"peers":    func() []string { return []string{"auto", "server", "all", "name"} },
	"group-by": func() []string { return []string{"place", "server", "array", "peers"} },
	"latency":  func() []string { return metricNames(metric.Device()) },
	"ios":      func() []string { return metricNames(metric.Device()) },
	"size":     func() []string { return metricNames(metric.Device()) },
	"since":    func() []string { return []string{"1h", "24h", "7d", "today", "yesterday"} },
	"until":    func() []string { return []string{"1h", "24h", "today", "yesterday"} },
	"tz":       func() []string { return []string{"UTC", "local"} },
	"zone":     func() []string { return []string{"UTC", "Local"} },
}

// endings holds the file name endings that complete a flag, by the name of the flag.
var endings = map[string][]string{
	"topology": {"yaml", "yml"}, "describe": {"yaml", "yml"}, "truth": {"yaml", "yml"},
	"html": {"html"}, "model": {"json"}, "csv": {"csv"}, "inventory": {"csv", "parquet"},
}

// addCompletion adds cobra's command that prints completions, and sets its line of help.
func addCompletion(root *cobra.Command) {
	root.SetCompletionCommandGroupID("install")
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "print the completion script for bash, zsh, fish or powershell"
		}
	}
}

// offerValues registers a completion for the values of each flag.
func offerValues(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if complete := valuesOf(f); complete != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails only for a second registration
		}
	})
	for _, c := range cmd.Commands() {
		offerValues(c)
	}
}

// valuesOf returns the completion of a flag; nil: the shell completes names of files.
func valuesOf(f *pflag.Flag) cobra.CompletionFunc {
	if list := offered[f.Name]; list != nil {
		return cobra.FixedCompletions(list(), cobra.ShellCompDirectiveNoFileComp)
	}
	if list := listed(f.Usage); list != nil {
		return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
	}
	if f.Name == "tables" { // the names of presets, and files
		return cobra.FixedCompletions(presetNames(), cobra.ShellCompDirectiveDefault)
	}
	if list := endings[f.Name]; list != nil {
		return cobra.FixedCompletions(list, cobra.ShellCompDirectiveFilterFileExt)
	}
	name, _ := pflag.UnquoteUsage(f)
	switch {
	case name == "directory":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case strings.Contains(name, "FILE") || name == "STATE":
		return nil
	}
	return cobra.NoFileCompletions
}

// listed returns the words that a usage lists after its last colon: "`FORMAT`: text, json, csv".
func listed(usage string) []string {
	at := strings.LastIndex(usage, ": ")
	words := strings.Split(usage[at+1:], ", ")
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
		if strings.ContainsAny(words[i], " ()`") {
			return nil
		}
	}
	if at < 0 || len(words) < 2 {
		return nil
	}
	return words
}
