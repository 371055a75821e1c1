//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/upkeep"
	"github.com/limpet-storage/limpet/report/action"
)

// served starts limpet raid serve over members, and returns its end.
func served(t *testing.T, control string, members []string) (stop func() string) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	ctx, cancel := context.WithCancel(context.Background())
	ended, trouble := make(chan int, 1), &complaints{}
	go func() {
		ended <- run(ctx, append([]string{"raid", "serve", "--listen", "unix:" + socket, "--control", control}, members...), nil, io.Discard, trouble)
	}()
	c := dialSoon(t, socket)
	return func() string {
		c.Close()
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("it exits with %d: %s", code, trouble.String())
		}
		return trouble.String()
	}
}

// TestRaidMask: a mask that was set by command is in the status as text and JSON, also while the
// array is not served and after it was started again; what is refused is refused with its reason.
func TestRaidMask(t *testing.T) {
	dir, members := newMembers(t)
	control := filepath.Join(dir, "c")
	stop := served(t, control, members)
	out := answered(t, "raid", "mask", "--at", control, "--incident", "ec082432", "--why", "12 times slower", "--by", "ops", members[1])
	line := regexp.MustCompile(`(?m)^  1  active  ` + regexp.QuoteMeta(members[1]) + ` \(masked since \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ by user ops, because of incident ec082432: 12 times slower; kind of mask: sit-out \(its data are computed from the other members\)\)$`)
	if !line.MatchString(out) {
		t.Errorf("masked: %s", out)
	}
	if again := answered(t, "raid", "mask", "--at", control, "--incident", "ec082432", "1"); again != out {
		t.Errorf("masked again: %s", again)
	}
	refused := func(want string, code int, args ...string) {
		t.Helper()
		var trouble bytes.Buffer
		if got := run(t.Context(), args, nil, io.Discard, &trouble); got != code || !strings.Contains(trouble.String(), want) {
			t.Errorf("%q exits with %d: %s; want %d and %s", args, got, trouble.String(), code, want)
		}
	}
	refused("name the control socket of the array with --at PATH", 2, "raid", "mask", "1")
	refused("name the control socket of the array with --at PATH", 2, "raid", "unmask", "1")
	refused("name one member of the array: its number, P, Q, or its file or device", 2, "raid", "mask", "--at", control)
	refused(`the kind of mask "away" is unknown: write one of sit-out, last, hedge`, 2, "raid", "mask", "--at", control, "--how", "away", "2")
	refused(`the array has no member "7"`, 1, "raid", "mask", "--at", control, "7")
	refused("member 1 stays masked: the mask belongs to another incident (incident: ec082432)", 1, "raid", "unmask", "--at", control, "--incident", "other", "1")
	refused(`format "xml" is unknown: use text or json`, 2, "raid", "status", "--at", control, "-o", "xml")
	if said := stop(); !strings.Contains(said, "limpet: member 1 is masked (sit-out), incident ec082432, by ops: 12 times slower\n") {
		t.Errorf("the server said %s", said)
	}

	if out := said(t, append([]string{"raid", "status"}, members...)...); !line.MatchString(out) {
		t.Errorf("not served: %s", out)
	}
	stop = served(t, control, members)
	for _, args := range [][]string{{"raid", "status", "-o", "json", "--at", control}, {"raid", "unmask", "--at", control, "--incident", "ec082432", "1"}} {
		out := answered(t, args...)
		if args[1] == "unmask" {
			if strings.Contains(out, "masked") || !strings.Contains(out, "1  active  "+members[1]+"\n") {
				t.Errorf("unmasked: %s", out)
			}
			continue
		}
		var s upkeep.Status
		if err := json.Unmarshal([]byte(out), &s); err != nil || s.Members[1].Mask == nil || s.Members[1].Mask.Why != "12 times slower" || s.Members[0].Mask != nil {
			t.Errorf("JSON after a restart: %s, %v", out, err)
		}
	}
	stop()
	var s upkeep.Status
	if err := json.Unmarshal([]byte(said(t, append([]string{"raid", "status", "-o", "json"}, members...)...)), &s); err != nil || len(s.Members) != len(members) || s.Members[1].Mask != nil {
		t.Errorf("JSON of an array that is not served: %+v, %v", s, err)
	}
}

// TestRaidDriver carries out the steps of an action on a served array, as the driver of
// report/action has them: before, the guard holds; the command masks the member; after the undo
// the array is as before.
func TestRaidDriver(t *testing.T) {
	dir, members := newMembers(t)
	control := filepath.Join(dir, "c")
	stop := served(t, control, members)
	defer stop()
	steps := action.Lookup("limpet", action.Relieve).Steps(action.Names{"server": "box1", "socket": control, "member": filepath.Base(members[1]), "incident": "ec082432"})
	does := func(c action.Command) string {
		t.Helper()
		if c.Server != "box1" || c.Args[0] != "limpet" {
			t.Fatalf("the command is %s", c)
		}
		return answered(t, c.Args[1:]...)
	}
	check := func(want action.State, held bool) {
		t.Helper()
		state, err := steps.State.Read(does(steps.State.Command))
		if err != nil || state != want {
			t.Errorf("the state is %s, %v; want %s", state, err, want)
		}
		for _, g := range steps.Guards {
			if err := g.Holds(does(g.Command)); (err == nil) != held {
				t.Errorf("%s: %v", g.Command, err)
			}
		}
	}
	check(action.Normal, true)
	for range 2 { // a command that is repeated changes nothing
		does(steps.Do)
		check(action.Masked, false)
	}
	for range 2 {
		does(steps.Undo)
		check(action.Normal, true)
	}
	answered(t, "raid", "mask", "--at", control, "--why", "an operator's", "1")
	check(action.Other, false)
}
