// Command embed is a diagnosis inside another program: it reads activity files,
// pushes their rows into an engine, and prints what becomes of incidents.
//
//	go run ./examples/embed site.yaml /var/log/site
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/topology"
)

// printer prints the events of a diagnosis, and ignores windows and hourly lists.
type printer struct{}

func (printer) Window(*persistence.Window) {}
func (printer) List(*engine.List)          {}
func (printer) Event(e *incident.Event) {
	at, in := time.Unix(e.Time, 0).UTC().Format(time.DateTime), e.Incident
	fmt.Printf("%s  %-10s %s %s: %s, %.2f times slower [%s]\n", at, e.Change, in.Place.Tier, in.Place.Name, in.Kind, in.Effect().Times, in.ID)
}

func run(ctx context.Context, siteFile string, activityFiles []string) error {
	text, err := os.ReadFile(siteFile)
	if err != nil {
		return err
	}
	site, _, err := topology.Parse(siteFile, text)
	if err != nil {
		return err
	}
	options := engine.DefaultOptions()
	rows, err := activity.Open(ctx, activityFiles, activity.Options{Metrics: options.Metrics, System: site})
	if err != nil {
		return err
	}
	defer rows.Close()
	diagnosis, err := engine.New(options, rows.System(), rows.Schema(), nil, printer{})
	if err != nil {
		return err
	}
	return diagnosis.Run(ingest.Stream(ctx, rows))
}

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}
