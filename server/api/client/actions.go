package client

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/limpet-storage/limpet/server/api"
)

// Actions lists actions, latest first.
func (c *Client) Actions(ctx context.Context) (*api.ActionList, []byte, error) {
	list := &api.ActionList{}
	data, err := c.Get(ctx, "/actions", url.Values{"limit": {"1000"}}, list)
	return list, data, err
}

// Action returns an action with its records.
func (c *Client) Action(ctx context.Context, id string) (*api.ActionKept, []byte, error) {
	kept := &api.ActionKept{}
	data, err := c.Get(ctx, "/actions/"+url.PathEscape(id), nil, kept)
	return kept, data, err
}

// ActOn sends an operator's command about an action.
func (c *Client) ActOn(ctx context.Context, id string, r api.ActionRequest) (*api.Action, []byte, error) {
	out := &api.Action{}
	data, err := c.Post(ctx, "/actions/"+url.PathEscape(id)+"/command", r, out)
	return out, data, err
}

// SwitchActions stops all actions, or allows them again.
func (c *Client) SwitchActions(ctx context.Context, r api.ActionRequest) (*api.ActionSwitch, []byte, error) {
	out := &api.ActionSwitch{}
	data, err := c.Post(ctx, "/actions/command", r, out)
	return out, data, err
}

// ActionTable prints actions, a line each. Actions that are over are printed only if all is set.
func ActionTable(w io.Writer, list *api.ActionList, all bool) error {
	if s := list.Switch; s.Stopped {
		fmt.Fprintf(w, "User %s stopped all actions at %s%s. To allow actions again, run limpet act resume\n", s.User, sentences.Time(int64(s.Time)), quoted(s.Text))
	} else if list.Note != "" {
		fmt.Fprintf(w, "No action can start now: %s.\n", strings.TrimSuffix(list.Note, "."))
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	shown := 0
	for i := range list.Actions {
		a := &list.Actions[i]
		if a.State.IsFinal() && !all {
			continue
		}
		if shown++; shown == 1 {
			fmt.Fprintln(t, "ACTION\tSTATE\tSINCE\tCOMPONENT\tINCIDENT\tCOMMAND")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, a.State, sentences.Time(int64(max(a.Created, a.Began, a.Ended))), a.Component, orDash(a.Incident), a.Command)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if over := len(list.Actions) - shown; shown == 0 && over > 0 {
		_, err := fmt.Fprintf(w, "No action is active or waiting for approval. %d actions are over; to list these actions, run limpet act list --all.\n", over)
		return err
	} else if shown == 0 {
		_, err := fmt.Fprintln(w, "No action has been created so far.")
		return err
	}
	return nil
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(" (reason: %q)", text)
}

// ShowAction prints an action and every step of it.
func ShowAction(w io.Writer, k *api.ActionKept) {
	a := &k.Action
	fmt.Fprintf(w, "Action %s on component %s: %s\n", a.ID, a.Component, a.Text)
	fmt.Fprintf(w, "  State: %s%s\n", a.State, actionNote(a))
	fmt.Fprintf(w, "  Reason: %s (incident %s)\n", strings.TrimSuffix(a.Why, "."), orDash(a.Incident))
	fmt.Fprintf(w, "  Command: %s\n  Command that undoes the action: %s\n", a.Command, a.Undo)
	heading(w, "Steps so far", len(k.Records))
	for i := range k.Records {
		r := &k.Records[i]
		var parts []string
		if r.Command != "" {
			parts = append(parts, map[bool]string{true: "start: ", false: ""}[r.Starts]+r.Command)
		}
		if r.Failed {
			parts = append(parts, "failed")
		}
		if r.Text != "" {
			parts = append(parts, r.Text)
		}
		fmt.Fprintf(w, "  %s %s: %s: %s\n", sentences.Time(int64(r.Time)), r.User, r.Event, strings.Join(parts, "; "))
	}
}

// actionNote returns the details that the state does not show: the trouble, the reason or the
// deadline.
func actionNote(a *api.Action) string {
	switch {
	case a.Trouble != "":
		return ". " + upper(a.Trouble)
	case a.Reason != "":
		return ". " + upper(a.Reason)
	case a.Due != 0:
		return " until " + sentences.Time(int64(a.Due))
	}
	return ""
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// ActionLine returns an action as one line of a report.
func ActionLine(a *api.Action) string {
	return fmt.Sprintf("Action %s is in state %s%s. Command: %s", a.ID, a.State, strings.TrimSuffix(actionNote(a), "."), a.Command)
}
