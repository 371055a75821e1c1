package action

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/incident"
)

const externalPolicy = `
mode: propose
rules: [{effects: [take out]}]
drivers:
  - {storage: hdfs, effect: take out, run: [/usr/local/sbin/mask-datanode, --quiet]}
  - {storage: gluster, effect: relieve, url: "https://mask.example:8443/brick", what: "read {component} last", bearer_file: /etc/limpet/token}
`

// A driver of a site is proposed like one of limpet, within the same caps.
func TestExternal(t *testing.T) {
	p, err := ParsePolicy("p.yaml", []byte(externalPolicy))
	if err != nil {
		t.Fatal(err)
	}
	system := cluster(8)
	for i := range system.Components {
		system.Components[i].Storage = "hdfs"
	}
	in := slow(system, 0)
	d, ok := New(p, Situation{System: system, Now: noon, Open: []incident.Incident{in}}).For(&in)
	const want = `echo '{"component":"osd0/sdb","device":"sdb","effect":"take out","pool":"","server":"osd0","step":"do","storage":"hdfs","volume":"0"}' | /usr/local/sbin/mask-datanode --quiet`
	if !ok || d.Refused != "" || d.Do.String() != want || d.What != "let the driver in the policy file keep requests away from osd0/sdb" || len(d.Guards) != 1 {
		t.Errorf("%q %s %s", d.Refused, d.Do, d.What)
	}
	if d := p.Lookup("gluster", Relieve); d == nil || !strings.HasPrefix(d.Steps(Names{"component": "b1"}).Undo.String(), `curl -d '{"component":"b1","step":"undo"}' https://mask.example:8443/brick`) || d.Steps(Names{"component": "b1"}).What != "read b1 last" {
		t.Errorf("%+v", d)
	}
	wide := append([]incident.Incident{in}, slow(system, 4), slow(system, 5))
	if d, _ := New(p, Situation{System: system, Now: noon, Open: wide}).For(&in); d.Refused != RedundancyUsed {
		t.Errorf("with two others slow: %q", d.Refused)
	}
	for answer, want := range map[string]string{
		`{"state":"normal","may":true}`: "normal ", `{"state":"masked","may":false,"text":"busy"}`: "masked the driver does not allow the action: busy",
		`{"state":"other","may":false}`: "other the driver does not allow the action: the driver gives no reason", `{"state":"fine","may":true}`: "error ", `{}`: `error the answer of the driver has no field "may"`, ``: "error the output of the command is empty",
	} {
		state, err := d.State.Read(answer)
		got := string(state)
		if err != nil {
			got = "error"
		}
		text := ""
		if err := d.Guards[0].Holds(answer); err != nil {
			text = err.Error()
		}
		if got+" "+text != want {
			t.Errorf("%s: %s %s, want %s", answer, got, text, want)
		}
	}
	for text, want := range map[string]string{
		"{storage: ceph, effect: relieve, run: [/bin/x]}":                                          "limpet already has a driver for the storage ceph and the effect relieve: remove this driver",
		"{storage: nfs, effect: relieve, run: [/bin/x]}":                                           `"nfs" is not a kind of storage`,
		"{storage: hdfs, effect: destroy, run: [/bin/x]}":                                          `"relieve" or "take out"`,
		"{storage: hdfs, effect: relieve}":                                                         `"run" or the setting "url"`,
		"{storage: hdfs, effect: relieve, run: [/bin/x], url: 'https://h/'}":                       "either the setting",
		"{storage: hdfs, effect: relieve, run: [mask]}":                                            "is not an absolute path",
		"{storage: hdfs, effect: relieve, url: 'ftp://h/'}":                                        "cannot be used",
		"{storage: hdfs, effect: relieve, url: 'https://u:p@h/'}":                                  "without a password",
		"{storage: hdfs, effect: relieve, run: [/bin/x], bearer_file: t}":                          `only for a driver with the setting "url"`,
		"{storage: hdfs, effect: relieve, run: [/x]}, {storage: hdfs, effect: relieve, run: [/y]}": "two drivers for the storage hdfs and the effect relieve",
	} {
		if _, err := ParsePolicy("p.yaml", []byte("drivers: ["+text+"]")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
