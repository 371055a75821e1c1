package action

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

// meanings are the lines of docs/act.md about refusals.
var meanings = map[Reason]string{
	Stopped: "the policy has `stop: true`, or an operator has stopped all actions", NotMaskable: "no action masks this kind of incident", SeveralParts: "the incident concerns several parts", NoRule: "no rule covers the part, or the rule is off",
	ActedBefore: "an operator refused or reversed an action on the incident, it did not help, or a check refused it a short time ago",
	IsMuted:     "an operator muted the incident", IsRecovering: "the incident recovers", NotJudged: "there are no present data of the part", MayBeOther: "a harmless cause would look the same", OtherPlace: "another place explains the problem about as well",
	KindNotIn: "the rule does not list the kind", OnlySuspect: "it is a suspect", RatioUnknown: "it is unknown how slow the part is", TooFast: "the part may be less slow than the rule wants", TooShort: "the problem has not lasted for long enough", WrongHour: "it is outside of the hours of the rule",
	UnknownStorage: "the topology lacks the kind of storage", UnknownRedundancy: "the topology lacks the redundancy of the part, or of another part of its group", NoRedundancy: "there is no redundancy", BeneathPart: "the redundancy is that of the drives within the part",
	NoDriver: "limpet has no command for this storage, redundancy and effect", UnknownServer: "the topology lacks the server", UnknownName: "the topology lacks a name that the command needs",
	AlreadyMasked: "the part is masked already", Rebuilding: "an array rebuilds or checks itself", RedundancyUsed: "too little redundancy would be left", Pausing: "an action did not help, a short time ago", OtherServer: "an action on another server is under way", AtOnce: "enough actions are under way", AnHour: "enough actions have begun within the hour",
}

// TestDocs: docs/act.md has every command and every reason.
func TestDocs(t *testing.T) {
	var table strings.Builder
	table.WriteString("<!-- drivers -->\n| storage, effect | for | commands |\n| --- | --- | --- |\n")
	for _, d := range Drivers() {
		var lines []string
		add := func(what string, c Command, wants string) {
			line := fmt.Sprintf("%s `%s`", what, c)
			if wants != "" {
				line += ": " + wants
			}
			lines = append(lines, line)
		}
		for _, g := range d.Guards {
			add("before:", g.Command, g.Wants)
		}
		add("**do:**", d.Do, "")
		add("after:", d.State.Command, d.State.Masked+"; before and after the undo: "+d.State.Normal)
		add("undo:", d.Undo, "")
		if d.Note != "" {
			lines = append(lines, d.Note)
		}
		fmt.Fprintf(&table, "| %s, %s | %s | %s |\n", d.Storage, d.Effect, d.For, strings.Join(lines, "<br>"))
	}
	var reasons strings.Builder
	reasons.WriteString("<!-- reasons -->\n| reason | meaning |\n| --- | --- |\n")
	for _, r := range Reasons() {
		if meanings[r] == "" {
			t.Errorf("the reason %q has no meaning", r)
		}
		fmt.Fprintf(&reasons, "| `%s` | %s |\n", r, meanings[r])
	}
	if len(meanings) != len(Reasons()) {
		t.Errorf("%d meanings of %d reasons", len(meanings), len(Reasons()))
	}
	page, err := os.ReadFile(checkout.Path(t, "docs/act.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{table.String() + "\n", reasons.String() + "\n"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/act.md lacks:\n%s", want)
		}
	}
	for _, k := range Kinds() {
		if !strings.Contains(string(page), string(k)) {
			t.Errorf("docs/act.md does not name the kind %s", k)
		}
	}
}
