package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/outcome"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/api/client"
)

// incidentFlags are the flags of limpet incidents and its subcommands.
type incidentFlags struct {
	options client.Options
	query   client.Query
	format  string
	text    string
	until   string
}

func (f *incidentFlags) bind(cmd *cobra.Command) {
	bindServer(cmd, &f.options)
	fs := cmd.Flags()
	fs.Var(bounded.Duration(&f.options.Timeout, time.Second, time.Hour), "timeout", "longest time to wait for an answer from the server")
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: text, json")
}

// bindServer binds the flags for the address of the server and for the login.
func bindServer(cmd *cobra.Command, o *client.Options) {
	*o = client.DefaultOptions()
	fs := cmd.Flags()
	fs.StringVar(&o.Server, "server", o.Server, "`URL` of the server, or unix:PATH for the path of its socket; --url is the same flag")
	fs.SetNormalizeFunc(sameFlag("url", "server"))
	fs.StringVar(&o.TokenFile, "token-file", "", "`FILE` with the access token for the server (default: no token)")
	fs.StringVar(&o.User, "user", "", "user `NAME` to log in with; also give --password-file (default: no login)")
	fs.StringVar(&o.PasswordFile, "password-file", "", "`FILE` with the password of the user that --user names")
	fs.StringVar(&o.CAFile, "ca", "", "PEM `FILE` with the certificates of the authorities that may have signed the server's certificate (default: the authorities that this machine trusts)")
}

// sameFlag returns a function that accepts a second name of a flag: most commands have --server,
// and limpet top has --url.
func sameFlag(second, name string) func(*pflag.FlagSet, string) pflag.NormalizedName {
	return func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == second {
			given = name
		}
		return pflag.NormalizedName(given)
	}
}

// connect returns a client for the server. It does not connect yet.
func (f *incidentFlags) connect() (*client.Client, error) {
	if f.format != "text" && f.format != "json" {
		return nil, usageError{fmt.Errorf("format %q is unknown: use text or json", f.format)}
	}
	return client.New(f.options)
}

// print prints the JSON answer of the server, or a text that say writes.
func (f *incidentFlags) print(cmd *cobra.Command, answer []byte, say func(io.Writer) error) error {
	if f.format == "json" {
		_, err := cmd.OutOrStdout().Write(answer)
		return err
	}
	return say(printable.NewWriter(cmd.OutOrStdout()))
}

func newIncidents() *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:   "incidents",
		Short: "list, mute or resolve the incidents of a running server",
		Long: `List the open incidents of a running limpet serve, the worst incident first. The
subcommands show one incident, or save an operator's decision or comment about one
incident, with the name of the user and the time.`,
		Example: `  limpet incidents                                            list the open incidents
  limpet incidents show ec082432                              show the evidence and the events so far
  limpet incidents comment ec082432 --text "drive ordered"
  limpet incidents mute ec082432 --until 3d                   send no notifications about this incident for three days
  limpet incidents resolve ec082432                           report that the problem was repaired
  limpet incidents was ec082432 --text "worn-out SSD"         save the true cause`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.connect()
			if err != nil {
				return err
			}
			f.query.Component = outcome.Name(f.query.Component)
			list, answer, err := c.Incidents(cmd.Context(), f.query)
			if err != nil {
				return err
			}
			return f.print(cmd, answer, func(w io.Writer) error { return client.Table(w, list) })
		},
	}
	f.bind(cmd)
	cmd.Flags().BoolVar(&f.query.All, "all", false, "also list incidents that are over, muted or harmless (nothing is broken, such as an uneven workload) (default: only open incidents)")
	cmd.Flags().StringVar(&f.query.Component, "component", "", "list only the incidents of the component, server, controller, array or LUN with this `NAME` (default: all incidents)")
	cmd.AddCommand(newIncidentsShow())
	for _, a := range operatorCommands {
		cmd.AddCommand(newOperatorCommand(a))
	}
	return cmd
}

// oneID returns an error unless the only argument is the ID of an incident.
var oneID = one("name one incident by its ID; limpet incidents lists the IDs")

// completionTimeout is the longest time for which a shell waits for the IDs of incidents.
const completionTimeout = 2 * time.Second

// completeID offers the IDs of the incidents of the server to a shell. If the server does not answer,
// it offers nothing.
func (f *incidentFlags) completeID(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	options := f.options
	options.Timeout = min(options.Timeout, completionTimeout)
	c, err := client.New(options)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	list, _, err := c.Incidents(ctx, client.Query{All: true})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []cobra.Completion
	for _, r := range list.Incidents {
		if strings.HasPrefix(r.Incident.ID, begun) {
			ids = append(ids, cobra.CompletionWithDesc(r.Incident.ID, r.Incident.Title))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func newIncidentsShow() *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:               "show ID",
		Short:             "show an incident, its events, and the comments of operators",
		Example:           "  limpet incidents show ec082432",
		Args:              oneID,
		ValidArgsFunction: f.completeID,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect()
			if err != nil {
				return err
			}
			kept, answer, err := c.Incident(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return f.print(cmd, answer, func(w io.Writer) error { client.Show(w, kept, pictures(cmd.OutOrStdout())); return nil })
		},
	}
	f.bind(cmd)
	return cmd
}

// operatorCommand is a command of an operator about an incident, such as resolve.
type operatorCommand struct {
	verb           command.Verb
	short, example string
	text           string // usage of --text
	needsText      bool
}

var operatorCommands = []operatorCommand{
	{command.Resolve, "mark an incident as repaired: the incident ends. If the problem returns, limpet reports it under the same ID, with a new start", "resolve ec082432", "`TEXT` that says what was repaired", false},
	{command.Accept, "accept the present state as normal: an incident \"slower than before\", \"changed workload\" or \"noisy neighbour\" ends, and limpet compares later data with the present state. An incident of another kind cannot be accepted; mute this incident", "accept 7f3a9c21", "`TEXT` that says why the speed changed", false},
	{command.Mute, "mark an incident as known: limpet sends no more notifications about this incident", "mute ec082432 --until 3d", "`TEXT` that says why the incident is muted", false},
	{command.Unmute, "send notifications about a muted incident again", "unmute ec082432", "`TEXT` that says why the incident is no longer muted", false},
	{command.Comment, "add a comment to an incident", `comment ec082432 --text "drive ordered"`, "`TEXT` of the comment", true},
	{api.Was, "save the true cause of an incident, to check later how good the diagnosis was", `was ec082432 --text "worn-out SSD"`, "`TEXT` that names the true cause", true},
}

// idWithoutText returns an error unless the only argument is the ID of an incident. If a text stands
// behind the ID, the error names --text.
func idWithoutText(cmd *cobra.Command, args []string) error {
	if len(args) > 1 && !slices.ContainsFunc(args[1:], func(text string) bool { return !looksLikeID(text) }) {
		return usageError{fmt.Errorf("limpet incidents %s takes one incident at a time: run the command once for each ID, first limpet incidents %s %s", cmd.Name(), cmd.Name(), args[0])}
	}
	if len(args) > 1 {
		return usageError{fmt.Errorf("limpet incidents %s takes one ID, and the text belongs behind --text: write limpet incidents %s %s --text %q", cmd.Name(), cmd.Name(), args[0], strings.Join(args[1:], " "))}
	}
	return oneID(cmd, args)
}

// looksLikeID reports whether a text looks like the ID of an incident or like the beginning of an ID:
// at least four hexadecimal digits, and not only letters, because "dead" and "faded" are words.
func looksLikeID(text string) bool {
	return len(text) >= ledger.FewestDigits && strings.Trim(text, "0123456789abcdef") == "" && strings.ContainsAny(text, "0123456789")
}

func newOperatorCommand(a operatorCommand) *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:               string(a.verb) + " ID",
		Short:             a.short,
		Example:           "  limpet incidents " + a.example,
		Args:              idWithoutText,
		ValidArgsFunction: f.completeID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.needsText && strings.TrimSpace(f.text) == "" {
				return usageError{fmt.Errorf("the command %s needs a text: add --text TEXT", a.verb)}
			}
			until, err := client.Until(f.until, period.Clock{Now: time.Now()})
			if err != nil {
				return usageError{err}
			}
			c, err := f.connect()
			if err != nil {
				return err
			}
			said, answer, err := c.Apply(cmd.Context(), args[0], api.FeedbackRequest{Verb: a.verb, Text: f.text, Until: until})
			if err != nil {
				return err
			}
			return f.print(cmd, answer, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, client.Done(args[0], said))
				return err
			})
		},
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&f.text, "text", "", a.text)
	if a.verb == command.Mute {
		cmd.Flags().StringVar(&f.until, "until", "", "the mute ends at this `TIME`: 8h, 3d, or 2026-05-09 08:00 (default: the mute ends only with limpet incidents unmute)")
	}
	return cmd
}
