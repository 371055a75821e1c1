package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/api/client"
)

func newAct() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "act",
		Short: "list, approve, refuse, reverse or stop actions on slow parts, or replay a policy",
		Long: `A running limpet serve with a policy can work around a slow part by itself, or after
an operator's yes (limpet help act). The subcommands list these actions and decide about
them. Each decision is saved with the name of the user and the time. limpet act replay
needs no server: it shows what a policy would have done in recorded data.`,
		Example: `  limpet act list                list the actions that are under way or wait for an answer
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
		verb                 api.ActionVerb
		short, example, text string
	}{
		{api.Approve, "let an action begin that waits for an answer", "approve 17", "`TEXT` that says why"},
		{api.Refuse, "refuse an action that waits for an answer: limpet does not ask again for this incident", "refuse 17", "`TEXT` that says why"},
		{api.Undo, "reverse an action", "undo 17", "`TEXT` that says why"},
	} {
		cmd.AddCommand(newActOn(d.verb, d.short, d.example, d.text))
	}
	cmd.AddCommand(
		newActSwitch(api.Stop, "stop all actions: limpet runs no command that changes anything, except the undo that an operator wants", "All actions are stopped. A command that has started is not interrupted. Allow actions again: limpet act resume"),
		newActSwitch(api.Resume, "allow actions again", "Actions are allowed again."),
		newActReplay(),
	)
	return cmd
}

// oneAction wants the number of an action.
func oneAction(_ *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usageError{errors.New("name one action by its number; limpet act list has the numbers")}
	}
	return nil
}

func newActList() *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "list the actions that are under way or wait for an answer",
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
	cmd.Flags().BoolVar(&f.query.All, "all", false, "also list actions that are over (default: only the others)")
	return cmd
}

func newActShow() *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:     "show NUMBER",
		Short:   "show an action with every step: who, command, answer",
		Example: "  limpet act show 17",
		Args:    oneAction,
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

func newActOn(verb api.ActionVerb, short, example, text string) *cobra.Command {
	f := &incidentFlags{}
	cmd := &cobra.Command{
		Use:     string(verb) + " NUMBER",
		Short:   short,
		Example: "  limpet act " + example,
		Args:    oneAction,
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
	cmd.Flags().StringVar(&f.text, "text", "", text)
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
	cmd.Flags().StringVar(&f.text, "text", "", "`TEXT` that says why")
	return cmd
}
