package action

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/checkout"
)

const wholePolicy = `
mode: propose
stop: true
most_at_once: 3
most_an_hour: 5
pause: 2h
verify_minutes: 20
ask_minutes: 30
rules:
  - {storage: ceph, pools: [backup], mode: off}
  - storage: [ceph, zfs]
    servers: [osd*]
    components: osd1/sd?
    kinds: [slow tail, disk-busy]
    effects: [relieve, take out]
    suspects: true
    times_slower: 2
    lasted: 0s
    hours_utc: 22:00-06:30
`

func TestParsePolicy(t *testing.T) {
	got, err := ParsePolicy("p.yaml", []byte(wholePolicy))
	if err != nil {
		t.Fatal(err)
	}
	off := defaultRule(Off)
	off.Storage, off.Pools = []string{"ceph"}, []string{"backup"}
	want := &Policy{Mode: Propose, Stop: true, MostAtOnce: 3, MostAnHour: 5, PauseSeconds: 7200, VerifySeconds: 1200, AskSeconds: 1800, Rules: []Rule{off, {
		Mode: Propose, Storage: []string{"ceph", "zfs"}, Servers: []string{"osd*"}, Components: []string{"osd1/sd?"}, Kinds: []finding.Kind{finding.SlowTail, finding.DiskBusy},
		Effects: Effects(), Suspects: true, TimesSlower: 2, Hours: Hours{22 * 60, 6*60 + 30},
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A short file has careful defaults, and an empty mode is off.
func TestDefaults(t *testing.T) {
	p, err := ParsePolicy("p.yaml", []byte("mode: propose"))
	if err != nil {
		t.Fatal(err)
	}
	if want := propose(); !reflect.DeepEqual(p, want) {
		t.Errorf("got %+v, want %+v", p, want)
	}
	if p, err = ParsePolicy("p.yaml", []byte("stop: false")); err != nil || p.Mode != Off || p.Rules[0].Mode != Off {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "the file is empty; write at least mode: propose"},
		{"mode: always", `p.yaml:1: the mode "always" is unknown: write off, propose, ask or do`},
		{"mode: propose\nrules: [{mode: sometimes}]", `p.yaml:2: the mode "sometimes" is unknown`},
		{"modes: propose", `the setting "modes" is unknown in the policy file`},
		{"most_at_once: 5", "4"},
		{"most_at_once: 0", "1"},
		{"most_an_hour: 7", "6"},
		{"pause: 59m", "1h"},
		{"verify_minutes: 2", "3"},
		{"verify_minutes: 10m", "10m"},
		{"ask_minutes: 0", "1"},
		{"stop: yes please", `"yes please" is not possible here`},
		{"rules: [{storage: nfs}]", `"nfs" is not a kind of storage`},
		{"rules: [{kinds: lost attachment}]", `"lost attachment" is not a kind of incident for which limpet has an action`},
		{"rules: [{effects: [destroy]}]", `"destroy" is not an effect`},
		{"rules: [{servers: '[a'}]", `"[a" is not a pattern of names`},
		{"rules: [{times_slower: 0.5}]", "0.5"},
		{"rules: [{hours_utc: 22-6}]", `"22-6" is not a range of hours`},
		{"rules: [{hours_utc: 06:00-06:00}]", "is not a range of hours"},
		{"rules: [{effect: relieve}]", `the setting "effect" is unknown in a rule`},
		{"rules: {mode: off}", "rules must be a list"},
	} {
		p, err := ParsePolicy("p.yaml", []byte(tt.text))
		if err == nil || p != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestExample(t *testing.T) {
	data, err := os.ReadFile(checkout.Path(t, "examples/act/policy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	commented := strings.NewReplacer("# stop:", "stop:", "# servers:", "servers:", "# components:", "components:", "# hours_utc:", "hours_utc:").Replace(string(data))
	for _, text := range []string{string(data), commented} {
		if p, err := ParsePolicy("policy.yaml", []byte(text)); err != nil || len(p.Rules) != 2 {
			t.Errorf("%+v, %v", p, err)
		}
	}
}

// No text makes the reader panic or lifts a cap, and a mode that runs commands is in the text.
func FuzzParsePolicy(f *testing.F) {
	f.Add(wholePolicy)
	f.Add("mode: do")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePolicy("p.yaml", []byte(text))
		if err != nil {
			return
		}
		bad := p.MostAtOnce > 4 || p.MostAnHour > 6 || p.PauseSeconds < 3600 || p.VerifySeconds < 180 || p.VerifySeconds > 7200 || p.AskSeconds < 60
		bad = bad || p.Acts() && !strings.Contains(text, "ask") && !strings.Contains(text, "do") && !strings.Contains(text, `\`)
		if bad {
			t.Errorf("%q is read as %+v", text, p)
		}
	})
}

// A policy acts if some rule lets it.
func TestActs(t *testing.T) {
	for text, want := range map[string]bool{
		"mode: propose": false, "mode: off": false, "mode: ask": true, "mode: do": true, "mode: do\nrules: [{mode: off}]": false,
		"mode: propose\nrules: [{mode: off}, {mode: ask}]": true, "mode: off\nrules: [{mode: do}]": false,
	} {
		if p, err := ParsePolicy("p.yaml", []byte(text)); err != nil || p.Acts() != want {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}
