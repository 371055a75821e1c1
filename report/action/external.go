package action

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/topology"
)

// External is a driver that a site has written: a program that reads JSON, or a web service that
// receives the JSON by POST. It is for storage for which limpet has no commands.
//
//	{"component":"dn7/sdb","device":"sdb","effect":"take out","pool":"","server":"dn7","step":"check","storage":"hdfs","volume":""}
//
// The steps are check, do and undo. The answer to check is
//
//	{"state":"normal","may":false,"text":"two DataNodes are decommissioned already"}
//
// State is normal before the action, masked after it, and otherwise other. May tells whether the
// action may begin, and text has the reason if it may not. Answers to do and undo are not read:
// limpet checks afterwards.
type External struct {
	Storage    string
	Effect     Effect
	What       string   // effect of the action, in words; empty: a general sentence
	Run        []string // program and arguments
	URL        string   // address of the web service, instead of Run
	BearerFile string   // file with a token for the URL; empty: none
}

// stepCheck, stepDo and stepUndo are the steps of an external driver.
const stepCheck, stepDo, stepUndo = "check", "do", "undo"

func (r *reader) external(n *yaml.Node) External {
	f := r.Fields(n, "a driver", "storage", "effect", "what", "run", "url", "bearer_file")
	e := External{Storage: r.Text(f["storage"]), Effect: Effect(r.Text(f["effect"])), What: r.Text(f["what"]), Run: r.Texts(f["run"]), URL: r.Text(f["url"]), BearerFile: r.Text(f["bearer_file"])}
	at, err := url.Parse(e.URL)
	switch {
	case !slices.Contains(topology.StorageKinds(), e.Storage):
		r.Errorf(n, "%q is not a kind of storage: write one of %s in the setting \"storage\" of the driver", e.Storage, strings.Join(topology.StorageKinds(), ", "))
	case !slices.Contains(Effects(), e.Effect):
		r.Errorf(n, "the driver has no valid effect: write \"relieve\" or \"take out\" in the setting \"effect\"")
	case Lookup(e.Storage, e.Effect) != nil:
		r.Errorf(n, "limpet already has a driver for the storage %s and the effect %s: remove this driver", e.Storage, e.Effect)
	case (len(e.Run) == 0) == (e.URL == ""):
		r.Errorf(n, "the driver needs either the setting \"run\" or the setting \"url\"")
	case e.URL == "" && !filepath.IsAbs(e.Run[0]):
		r.Errorf(n, "%q is not an absolute path: write the absolute path of the program, such as /usr/local/sbin/mask", e.Run[0])
	case e.URL != "" && (err != nil || at.Host == "" || at.User != nil || at.Scheme != "https" && at.Scheme != "http"):
		r.Errorf(n, "the address in the setting \"url\" cannot be used: write an address such as https://host:port/path, without a password")
	case e.BearerFile != "" && e.URL == "":
		r.Errorf(n, "the setting \"bearer_file\" is only for a driver with the setting \"url\"")
	}
	return e
}

// driver returns e as a [Driver].
func (e *External) driver() *Driver {
	step := func(name string) Command {
		return Command{Args: e.Run, URL: e.URL, BearerFile: e.BearerFile, step: name, Input: fmt.Sprintf(`{"effect":%q,"step":%q,"storage":%q,…}`, e.Effect, name, e.Storage)}
	}
	return &Driver{
		Storage: e.Storage, Effect: e.Effect, For: "any redundancy", What: cmp.Or(e.What, "let the driver in the policy file keep requests away from {component}"), external: true,
		Guards: []Check{{Command: step(stepCheck), Wants: `"may": true`, holds: mayBegin}},
		Do:     step(stepDo),
		State:  Query{Command: step(stepCheck), Masked: `"state": "masked"`, Normal: `"state": "normal"`, read: externalState},
		Undo:   step(stepUndo),
		fits:   func(*topology.Component, topology.Redundancy) bool { return true },
	}
}

// externalNames returns the names of a part that an external driver receives.
func externalNames(c *topology.Component, e Effect) (names Names, missing string) {
	server, device := c.RunsOn()
	if !serverName.MatchString(server) {
		return nil, "server"
	}
	return Names{"component": c.Name, "server": server, "device": device, "pool": c.Pool, "volume": c.Volume, "storage": c.Storage, "effect": string(e)}, ""
}

// input returns the JSON of one step.
func input(step string, names Names) string {
	all := map[string]string{"step": step}
	for k, v := range names {
		all[k] = v
	}
	text, _ := json.Marshal(all) // strings can always be written as JSON
	return string(text)
}

type externalAnswer struct {
	State State  `json:"state"`
	May   *bool  `json:"may"`
	Text  string `json:"text"`
}

func mayBegin(_ Names, answer string) error {
	var got externalAnswer
	if err := decode(answer, &got); err != nil {
		return err
	}
	switch {
	case got.May == nil:
		return errors.New(`the answer of the driver has no field "may"`)
	case !*got.May:
		return fmt.Errorf("the driver does not allow the action: %s", cmp.Or(got.Text, "the driver gives no reason"))
	}
	return nil
}

func externalState(_ Names, answer string) (State, error) {
	var got externalAnswer
	if err := decode(answer, &got); err != nil {
		return Other, err
	}
	if !slices.Contains([]State{Normal, Masked, Other}, got.State) {
		return Other, fmt.Errorf(`the "state" in the answer of the driver is %q, but must be normal, masked or other`, got.State)
	}
	return got.State, nil
}

// Lookup returns the driver of a storage and an effect: a driver of limpet, or of the policy; nil:
// there is none.
func (p *Policy) Lookup(storage string, e Effect) *Driver {
	if d := Lookup(storage, e); d != nil || p == nil {
		return d
	}
	for i := range p.External {
		if x := &p.External[i]; x.Storage == storage && x.Effect == e {
			return x.driver()
		}
	}
	return nil
}
