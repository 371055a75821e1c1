package gather

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/feedback"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/ledger"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/partition"
	"github.com/limpet-storage/limpet/watch"
)

// Say puts a word on the logs of the partitions that it is about. It is kept when Say
// has returned, and acts between two rows of each; every node then hears of it.
func (g *Gather) Say(ctx context.Context, said watch.Word) (at int64, err error) {
	one, about, err := g.understand(ctx, said)
	if err != nil {
		return 0, err
	}
	for i := range g.division.Partitions {
		p := &g.division.Partitions[i]
		mine := one
		for _, c := range about {
			if slices.Contains(p.Was, c) {
				mine.Components = append(mine.Components, g.division.System.Components[c].Name)
			}
		}
		if len(mine.Components) == 0 {
			continue
		}
		if err := g.send(ctx, p.Name, &mine); err != nil {
			return 0, fmt.Errorf("the word cannot be kept: %w", err)
		}
	}
	return one.Time, nil
}

func (g *Gather) send(ctx context.Context, to string, w *partition.Word) error {
	data, err := partition.Encode(w)
	if err != nil {
		return err
	}
	return g.logs[to].Append(ctx, bus.Record{Subject: partition.WordSubject, ID: w.Key, Data: data})
}

// understand finds out which components a word is about.
func (g *Gather) understand(ctx context.Context, said watch.Word) (partition.Word, []int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.o.Now()
	one := partition.Word{
		Key: fmt.Sprintf("%s %d", g.o.Node, now.UnixNano()), Time: max(now.Unix(), g.merged.To), Who: said.Who, Verb: said.Verb, Incident: said.Incident,
		Name: said.Component, Text: said.Text, Until: said.Until,
	}
	if g.division == nil {
		return one, nil, &watch.RefusedWord{Text: g.waiting()}
	}
	if said.Incident == "" {
		about := g.division.System.Match(said.Component)
		if len(about) == 0 {
			return one, nil, &watch.RefusedWord{Text: fmt.Sprintf("no component is called %s: use a name that the components have, or an incident's ID", said.Component)}
		}
		return one, about, nil
	}
	at := slices.IndexFunc(g.merged.Incidents, func(in incident.Incident) bool { return in.ID == said.Incident })
	if at >= 0 {
		in := &g.merged.Incidents[at]
		one.Name = in.Place.Name
		return one, members(in), nil
	}
	about, err := g.past(ctx, &said)
	return one, about, err
}

func members(in *incident.Incident) (list []int) {
	for i := range in.Members {
		if c := in.Members[i].Component; !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// past finds what an incident was about that is over: only a comment or its cause can be
// added.
func (g *Gather) past(ctx context.Context, said *watch.Word) ([]int, error) {
	kept, err := g.ledger.Incident(ctx, said.Incident)
	switch {
	case errors.Is(err, ledger.ErrUnknown):
		return nil, &watch.RefusedWord{Text: fmt.Sprintf("no incident has the ID %s: list those that there are, and name one of them", said.Incident)}
	case err != nil:
		return nil, err
	case said.Verb != feedback.Comment && said.Verb != ledger.Label:
		return nil, &watch.RefusedWord{Text: fmt.Sprintf("incident %s is over: only a comment or its cause can be added", said.Incident)}
	}
	about := g.division.System.Match(kept.Place.Name)
	if len(about) == 0 {
		about = []int{0} // whichever partition passes it on
	}
	return about, nil
}
