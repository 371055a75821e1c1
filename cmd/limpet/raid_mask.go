package main

import (
	"cmp"
	"errors"
	"fmt"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/raid/policy"
	"github.com/limpet-storage/limpet/raid/upkeep"
)

// oneMember returns an error unless the only argument is a member of a served array.
var oneMember = one("name one member of the array: its number, P, Q, or its file or device")

// needAt returns an error if --at is missing: a mask needs an array that is being served.
func (f *atFlag) needAt() error {
	if f.path == "" {
		return usageError{errors.New("name the control socket of the array with --at PATH (the path that was given to limpet raid serve --control)")}
	}
	return nil
}

func newRaidMask() *cobra.Command {
	var at atFlag
	order := upkeep.MaskOrder{How: string(policy.MaskSitOut)}
	cmd := &cobra.Command{
		Use:   "mask --at PATH MEMBER",
		Short: "keep reads away from a slow member of an array that is being served",
		Long: `Keep reads away from a member that is known to be slow. Writes still go to the member,
so that no redundancy is lost. There are three kinds of mask:

  sit-out   read the other members, and compute the data of this member
  last      read the member only if a request needs more reads without the member
  hedge     read the member, and one more member at the same time

The mask is stored on the members and survives a restart. The array reads the member
from time to time to see whether it has recovered; no client waits for these reads.
When the member has been as quick as the other members for 10 minutes (limpet raid
serve --well-for), the mask ends. With --stay, it ends only with limpet raid unmask.

The command is refused if the member is lost, if a rebuild is running, or if more than
two members would then be lost or masked, because parity can replace only two members.
A second command with the same mask and incident changes nothing.`,
		Example: `  limpet raid mask --at /run/a.control 2
  limpet raid mask --at /run/a.control --incident ec082432 --why '12 times slower' /dev/sdd
  limpet raid mask --at /run/a.control --how last --stay P`,
		Args: oneMember,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := at.needAt(); err != nil {
				return err
			}
			if _, err := policy.ParseMask(order.How); err != nil {
				return usageError{err}
			}
			order.Member = args[0]
			if order.By == "" {
				order.By = userName()
			}
			s, err := upkeep.NewClient(at.path).Mask(cmd.Context(), order)
			return printServed(cmd, s, err)
		},
	}
	at.bind(cmd)
	fs := cmd.Flags()
	fs.StringVar(&order.How, "how", order.How, "`KIND` of mask: "+strings.Join(texts(policy.Masks()), ", "))
	fs.StringVar(&order.Incident, "incident", "", "`ID` of the incident that is the reason for the mask")
	fs.StringVar(&order.Why, "why", "", "reason for the mask, a `TEXT` of one line")
	fs.StringVar(&order.By, "by", "", "`NAME` of the person or program that masks the member (default: your user name)")
	fs.BoolVar(&order.Stay, "stay", false, "keep the mask when the member has recovered")
	return cmd
}

func newRaidUnmask() *cobra.Command {
	var at atFlag
	var incident string
	cmd := &cobra.Command{
		Use:   "unmask --at PATH MEMBER",
		Short: "read a masked member of an array as usual again",
		Long: `End the mask of a member (limpet raid mask). If the member is not masked, nothing
changes. With --incident, the mask ends only if this incident is the reason for the
mask.`,
		Example: `  limpet raid unmask --at /run/a.control 2
  limpet raid unmask --at /run/a.control --incident ec082432 /dev/sdd`,
		Args: oneMember,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := at.needAt(); err != nil {
				return err
			}
			s, err := upkeep.NewClient(at.path).Unmask(cmd.Context(), args[0], incident)
			return printServed(cmd, s, err)
		},
	}
	at.bind(cmd)
	cmd.Flags().StringVar(&incident, "incident", "", "`ID` of the incident whose mask is ended (default: any mask)")
	return cmd
}

// userName returns the name of the user who runs the command; empty if it is unknown.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// maskEffects has, for a kind of mask, how the array reads a member with this mask.
var maskEffects = map[string]string{
	string(policy.MaskSitOut): "its data are computed from the other members",
	string(policy.MaskLast):   "the member is read only if a request needs more reads without the member",
	string(policy.MaskHedge):  "the member and one more member are read at the same time",
}

// maskText describes the mask of a member: its effect, its reason, and whether the member has
// recovered.
func maskText(m *upkeep.Mask) string {
	text := fmt.Sprintf("masked since %s", m.Since.UTC().Format("2006-01-02 15:04:05Z"))
	if m.By != "" {
		text += " by user " + m.By
	}
	if m.Incident != "" {
		text += ", because of incident " + m.Incident
	}
	if m.Why != "" {
		text += ": " + m.Why
	}
	text += fmt.Sprintf("; kind of mask: %s (%s)", m.How, cmp.Or(maskEffects[m.How], "this version of limpet does not know this kind"))
	if m.Suspended {
		text += "; the member is read now, because too many other members are lost"
	}
	switch {
	case m.Recovered && m.Stay:
		text += "; the member has recovered, but the mask stays until you run limpet raid unmask"
	case m.Recovered:
		text += "; the member has recovered"
	case m.Quick != nil:
		text += "; the member has been as quick as the other members since " + m.Quick.UTC().Format(time.TimeOnly) + "Z"
	case m.Ratio != nil:
		text += fmt.Sprintf("; its latency is %.3g times the latency of the other members", *m.Ratio)
	}
	return text
}
