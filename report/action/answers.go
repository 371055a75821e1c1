// Answers of storage tools. Each function reads the output of a tool, and refuses output that it
// does not understand: an answer that is cut off, empty or of an unknown form is an error, and
// never a good state. The functions are called only after the tool has succeeded.
//
//	ceph pg stat --format json        {"pg_ready":true,"pg_summary":{"num_pg_by_state":[{"name":"active+clean","num":33}],"num_pgs":33}}
//	ceph health detail --format json  {"status":"HEALTH_WARN","checks":{"OSD_DOWN":{…}}}
//	ceph osd dump --format json       {"osds":[{"osd":0,"up":1,"in":1,"primary_affinity":1}]}
//	zpool status -p tank              pool: tank, state: ONLINE, scan: …, and a table of devices
//	multipathd show paths format …    sdb:mpatha:active:ready
//	limpet raid status --format json  {"members":[{"role":"0","state":"active","name":"/dev/sdb","mask":{"how":"sit-out","incident":"ec082432"}}],"job":{…}}

package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
)

// always accepts every answer of a command that succeeded.
func always(Names, string) error { return nil }

// equals returns a function that accepts only the answer want.
func equals(want string) holdsFunc {
	return func(_ Names, answer string) error {
		if got := strings.TrimSpace(answer); got != want {
			return fmt.Errorf("the output of the command is %s", shown(got))
		}
		return nil
	}
}

// oneOf returns a function that reads a state of one word. Every word other than masked and normal
// means the state Other.
func oneOf(masked, normal string) readFunc {
	return func(_ Names, answer string) (State, error) {
		switch strings.TrimSpace(answer) {
		case masked:
			return Masked, nil
		case normal:
			return Normal, nil
		case "":
			return Other, errEmpty
		}
		return Other, nil
	}
}

var errEmpty = errors.New("the output of the command is empty")

// shown returns the beginning of an answer, for a sentence.
func shown(text string) string {
	const most = 80
	if text == "" {
		return "empty"
	}
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}

// decode reads an answer in JSON.
func decode(answer string, to any) error {
	if strings.TrimSpace(answer) == "" {
		return errEmpty
	}
	if err := json.Unmarshal([]byte(answer), to); err != nil {
		return fmt.Errorf("the output of the command is not the expected JSON: %w", err)
	}
	return nil
}

type pgSummary struct {
	States []struct {
		Name string `json:"name"`
		Num  int    `json:"num"`
	} `json:"num_pg_by_state"`
	All int `json:"num_pgs"`
}

// pgsAreClean requires that all placement groups are active and clean. Versions of Ceph before
// Nautilus print the summary without the outer object.
func pgsAreClean(_ Names, answer string) error {
	var got struct {
		pgSummary
		Wrapped *pgSummary `json:"pg_summary"`
	}
	if err := decode(answer, &got); err != nil {
		return err
	}
	sum := &got.pgSummary
	if got.Wrapped != nil {
		sum = got.Wrapped
	}
	seen := 0
	for _, s := range sum.States {
		words := strings.Split(s.Name, "+")
		if !slices.Contains(words, "active") || !slices.Contains(words, "clean") || slices.ContainsFunc(words, func(w string) bool {
			return w != "active" && w != "clean" && w != "scrubbing" && w != "deep"
		}) {
			return fmt.Errorf("%d of %d PGs have the state %s", s.Num, sum.All, s.Name)
		}
		seen += s.Num
	}
	if seen != sum.All || seen == 0 {
		return fmt.Errorf("the output of the command shows the states of %d PGs, but there are %d PGs", seen, sum.All)
	}
	return nil
}

// badHealth lists the health checks of Ceph that forbid an action.
var badHealth = []string{"OSD_NEARFULL", "OSD_BACKFILLFULL", "OSD_FULL", "OSD_DOWN", "PG_DEGRADED"}

func healthIsGood(_ Names, answer string) error {
	var got struct {
		Status string                     `json:"status"`
		Checks map[string]json.RawMessage `json:"checks"`
	}
	if err := decode(answer, &got); err != nil {
		return err
	}
	if !strings.HasPrefix(got.Status, "HEALTH_") {
		return fmt.Errorf("the output of the command has no health status: %s", shown(answer))
	}
	for _, name := range badHealth {
		if _, bad := got.Checks[name]; bad {
			return fmt.Errorf("the health checks of Ceph include %s", name)
		}
	}
	return nil
}

// osd is an entry of the OSD map. A missing field is nil.
type osd struct {
	ID       *int     `json:"osd"`
	Up       *int     `json:"up"`
	In       *int     `json:"in"`
	Affinity *float64 `json:"primary_affinity"`
}

// osdsOf reads the OSD map, and finds the OSD of an action.
func osdsOf(names Names, answer string) (all []osd, own osd, err error) {
	var got struct {
		OSDs []osd `json:"osds"`
	}
	if err := decode(answer, &got); err != nil {
		return nil, own, err
	}
	for _, o := range got.OSDs {
		if o.ID == nil || o.Up == nil || o.In == nil || o.Affinity == nil {
			return nil, own, errors.New("the output of the command lacks one of the fields \"osd\", \"up\", \"in\" and \"primary_affinity\" of an OSD")
		}
		if fmt.Sprintf("osd.%d", *o.ID) == names["osd"] {
			own = o
		}
	}
	if own.ID == nil {
		return nil, own, fmt.Errorf("the output of the command does not show %s", names["osd"])
	}
	return got.OSDs, own, nil
}

func osdsAreIn(names Names, answer string) error {
	all, own, err := osdsOf(names, answer)
	if err != nil {
		return err
	}
	for _, o := range all {
		switch {
		case *o.Up != 1:
			return fmt.Errorf("osd.%d is down", *o.ID)
		case *o.In != 1:
			return fmt.Errorf("osd.%d is out", *o.ID)
		}
	}
	if *own.Affinity != 1 {
		return fmt.Errorf("the primary_affinity of %s is %g", names["osd"], *own.Affinity)
	}
	return nil
}

func osdAffinity(names Names, answer string) (State, error) {
	_, own, err := osdsOf(names, answer)
	switch {
	case err != nil:
		return Other, err
	case *own.Affinity == 0:
		return Masked, nil
	case *own.Affinity == 1:
		return Normal, nil
	}
	return Other, nil
}

func osdIsIn(names Names, answer string) (State, error) {
	_, own, err := osdsOf(names, answer)
	switch {
	case err != nil:
		return Other, err
	case *own.In == 0:
		return Masked, nil
	case *own.In == 1:
		return Normal, nil
	}
	return Other, nil
}

// poolStatus is the status of one pool from zpool status.
type poolStatus struct {
	state   string
	busy    string            // line about work in progress; empty: there is none
	devices map[string]string // state by name: pool, vdevs and drives
	spares  map[string]string // state by name
}

// poolOf reads the status of the pool of an action.
func poolOf(names Names, answer string) (*poolStatus, error) {
	p := &poolStatus{devices: map[string]string{}, spares: map[string]string{}}
	pool, ended, table, section := "", false, false, ""
	for line := range strings.Lines(answer) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "pool:" && len(words) == 2 && pool == "":
			pool = words[1]
		case words[0] == "pool:":
			return nil, errors.New("the output of the command shows several pools")
		case words[0] == "state:" && len(words) == 2:
			p.state = words[1]
		case words[0] == "config:":
		case words[0] == "errors:":
			ended, table = true, false
		case words[0] == "NAME" && len(words) > 1 && words[1] == "STATE":
			table = true
		case !table:
			if strings.Contains(line, "in progress") {
				p.busy = strings.TrimSpace(line)
			}
		case len(words) == 1: // heading of devices: logs, cache, special, dedup, spares
			section = words[0]
		case section == "spares":
			p.spares[words[0]] = words[1]
		default:
			p.devices[words[0]] = words[1]
		}
	}
	switch {
	case pool != names["pool"]:
		return nil, fmt.Errorf("the output of the command does not show pool %s", names["pool"])
	case p.state == "" || !ended || p.devices[pool] == "": // zpool status ends with the line "errors:"
		return nil, fmt.Errorf("the output of the command about pool %s is incomplete", pool)
	case p.devices[names["device"]] == "":
		return nil, fmt.Errorf("the output of the command about pool %s does not show device %s", pool, names["device"])
	}
	return p, nil
}

func poolIsSound(names Names, answer string) error {
	p, err := poolOf(names, answer)
	if err != nil {
		return err
	}
	if p.state != "ONLINE" {
		return fmt.Errorf("the state of the pool is %s", p.state)
	}
	for _, name := range sortedKeys(p.devices) {
		if p.devices[name] != "ONLINE" {
			return fmt.Errorf("the state of %s is %s", name, p.devices[name])
		}
	}
	for _, name := range sortedKeys(p.spares) {
		if p.spares[name] != "AVAIL" {
			return fmt.Errorf("the state of spare %s is %s", name, p.spares[name])
		}
	}
	if p.busy != "" {
		return errors.New(p.busy)
	}
	return nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func deviceState(names Names, answer string) (State, error) {
	p, err := poolOf(names, answer)
	if err != nil {
		return Other, err
	}
	switch p.devices[names["device"]] {
	case "OFFLINE":
		return Masked, nil
	case "ONLINE":
		return Normal, nil
	}
	return Other, nil
}

// onePath is a path of multipathd: its multipath device, its state in the kernel, and its state by
// the path checker.
type onePath struct{ name, mapped, kernel, checker string }

// pathsOf reads the paths, and finds the path of an action.
func pathsOf(names Names, answer string) (all []onePath, own onePath, err error) {
	for line := range strings.Lines(answer) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) != 4 {
			continue
		}
		p := onePath{strings.TrimSpace(f[0]), strings.TrimSpace(f[1]), strings.TrimSpace(f[2]), strings.TrimSpace(f[3])}
		all = append(all, p)
		if p.name == names["device"] {
			own = p
		}
	}
	if own.name == "" {
		return nil, own, fmt.Errorf("the output of the command does not show path %s", names["device"])
	}
	if own.mapped == "" || strings.HasPrefix(own.mapped, "[") { // [orphan]
		return nil, own, fmt.Errorf("path %s belongs to no multipath device", own.name)
	}
	return all, own, nil
}

func twoOtherPaths(names Names, answer string) error {
	all, own, err := pathsOf(names, answer)
	if err != nil {
		return err
	}
	others := 0
	for _, p := range all {
		if p.name != own.name && p.mapped == own.mapped && p.kernel == "active" && p.checker == "ready" {
			others++
		}
	}
	if others < 2 {
		return fmt.Errorf("multipath device %s has %s, and at least 2 are needed", own.mapped, english.Count(others, "other active and ready path"))
	}
	return nil
}

func pathState(names Names, answer string) (State, error) {
	_, own, err := pathsOf(names, answer)
	switch {
	case err != nil:
		return Other, err
	case own.kernel == "failed":
		return Masked, nil
	case own.kernel == "active":
		return Normal, nil
	}
	return Other, nil
}

// arrayReport is the state of an array of limpet, as its control socket reports it.
type arrayReport struct {
	Members []struct {
		Role  string `json:"role"`
		State string `json:"state"`
		Name  string `json:"name"`
		Mask  *struct {
			How      string `json:"how"`
			Incident string `json:"incident"`
		} `json:"mask"`
	} `json:"members"`
	Stopped string `json:"stopped"`
	Job     *struct {
		Kind  string
		Ended time.Time
	} `json:"job"`
}

// parseArray reads the answer, and finds a member by its role, its path or the last part of its
// path, as the array does.
func parseArray(names Names, answer string) (r arrayReport, member int, err error) {
	if err := decode(answer, &r); err != nil {
		return r, 0, err
	}
	if len(r.Members) == 0 || r.Job == nil {
		return r, 0, fmt.Errorf("the output of the command does not show the members, or does not show whether a rebuild or scrub is running: %s", shown(answer))
	}
	name, member := names["member"], -1
	for i, m := range r.Members {
		if m.Role == name {
			return r, i, nil
		}
	}
	for i, m := range r.Members {
		switch {
		case m.Name == name:
			return r, i, nil
		case path.Base(m.Name) != name:
		case member >= 0:
			return r, 0, fmt.Errorf("several members of the array have the name %s", name)
		default:
			member = i
		}
	}
	if member < 0 {
		return r, 0, fmt.Errorf("the array has no member %s", name)
	}
	return r, member, nil
}

// arrayIsSound requires that no redundancy of the array is lost or masked, and that no rebuild or
// scrub is running.
func arrayIsSound(names Names, answer string) error {
	r, _, err := parseArray(names, answer)
	if err != nil {
		return err
	}
	if r.Stopped != "" {
		return fmt.Errorf("the array has stopped: %s", shown(r.Stopped))
	}
	for _, m := range r.Members {
		switch {
		case m.State != "active":
			return fmt.Errorf("member %s is %s", m.Role, shown(m.State))
		case m.Mask != nil:
			return fmt.Errorf("member %s is already masked", m.Role)
		}
	}
	if r.Job.Kind != "" && r.Job.Ended.IsZero() {
		return fmt.Errorf("a %s is running", r.Job.Kind)
	}
	return nil
}

// arrayMember reads whether a member is masked because of the incident. A mask by an operator, or
// because of another incident, means the state Other.
func arrayMember(names Names, answer string) (State, error) {
	r, member, err := parseArray(names, answer)
	if err != nil {
		return Other, err
	}
	switch m := r.Members[member]; {
	case m.State != "active":
		return Other, nil
	case m.Mask == nil:
		return Normal, nil
	case m.Mask.Incident == names["incident"] && m.Mask.How == "sit-out":
		return Masked, nil
	}
	return Other, nil
}
