package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/api/client"
)

func newAct() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "act",
		Short: "list, approve, refuse, undo or stop actions on slow components, or replay a policy",
		Long: `If limpet serve has a policy, it can run a command that keeps requests away from a
slow component. Such a command is an action (docs/act.md). The policy decides
whether limpet runs the command by itself, or only after an operator has approved
it. The subcommands list the actions, and approve, refuse, undo or stop them. limpet
saves each decision with the name of the user and the time. limpet act replay needs
no server: it shows what a policy would have done in recorded data.`,
		Example: `  limpet act list                list the actions that are active or waiting for approval
  limpet act show 17             show every step of action 17
  limpet act approve 17
  limpet act undo 17
  limpet act stop --text "maintenance until noon"
  limpet act resume
  limpet act replay --policy policy.yaml --topology site.yaml DIR`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newActList(), newActShow())
	for _, d := range []struct {
		verb  api.ActionVerb
		short string
	}{
		{api.Approve, "approve an action that waits for approval: limpet then runs its command"},
		{api.Refuse, "refuse an action that waits for approval: limpet proposes no other action for this incident"},
		{api.Undo, "undo an action: limpet runs the command that restores the previous state"},
	} {
		cmd.AddCommand(newActOn(d.verb, d.short))
	}
	cmd.AddCommand(
		newActSwitch(api.Stop, "stop all actions: limpet changes nothing until limpet act resume; limpet act undo still works", "All actions are stopped. A command that already runs is not interrupted. To allow actions again, run limpet act resume"),
		newActSwitch(api.Resume, "allow actions again, after limpet act stop", "Actions are allowed again."),
		newActReplay(),
	)
	return cmd
}

// reasonUsage is the usage of --text, for all commands that decide about actions.
const reasonUsage = "`TEXT` with the reason for your decision; limpet saves the reason and your user name"

// oneAction returns an error unless the only argument is the number of an action.
var oneAction = one("give the number of one action; limpet act list prints the numbers")

func newActList() *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "list the actions that are active or waiting for approval",
		Example: "  limpet act list --all",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.connect()
			if err != nil {
				return err
			}
			list, answer, err := c.Actions(cmd.Context())
			if err != nil {
				return err
			}
			return f.print(cmd, answer, func(w io.Writer) error { return client.ActionTable(w, list, f.query.All) })
		},
	}
	f.bind(cmd)
	cmd.Flags().BoolVar(&f.query.All, "all", false, "also list actions that are over (default: only actions that are not over)")
	return cmd
}

func newActShow() *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:               "show NUMBER",
		Short:             "show every step of an action: the user, the command and its output",
		Example:           "  limpet act show 17",
		Args:              oneAction,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect()
			if err != nil {
				return err
			}
			kept, answer, err := c.Action(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return f.print(cmd, answer, func(w io.Writer) error { client.ShowAction(w, kept); return nil })
		},
	}
	f.bind(cmd)
	return cmd
}

func newActOn(verb api.ActionVerb, short string) *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:               string(verb) + " NUMBER",
		Short:             short,
		Example:           "  limpet act " + string(verb) + " 17",
		Args:              oneAction,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect()
			if err != nil {
				return err
			}
			a, answer, err := c.ActOn(cmd.Context(), args[0], api.ActionRequest{Verb: verb, Text: f.text})
			if err != nil {
				return err
			}
			return f.print(cmd, answer, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, client.ActionLine(a))
				return err
			})
		},
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&f.text, "text", "", reasonUsage)
	return cmd
}

func newActSwitch(verb api.ActionVerb, short, done string) *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:     string(verb),
		Short:   short,
		Example: "  limpet act " + string(verb),
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.connect()
			if err != nil {
				return err
			}
			_, answer, err := c.SwitchActions(cmd.Context(), api.ActionRequest{Verb: verb, Text: f.text})
			if err != nil {
				return err
			}
			return f.print(cmd, answer, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, done)
				return err
			})
		},
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&f.text, "text", "", reasonUsage)
	return cmd
}
