package activity

import (
	"context"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/topology"
)

// Discover makes a system from the activity files at the given paths, as a diagnosis without a
// topology file does. It also returns the number of these files. The system includes network
// interfaces even if the intervals between records are too long to judge interfaces. The intervals
// of a later day may be shorter.
func Discover(ctx context.Context, paths []string, o Options) (s *topology.System, files int, warnings []ingest.Warning, err error) {
	list, warnings, err := groupByHost(ctx, paths)
	if err != nil {
		return nil, 0, nil, err
	}
	for _, f := range list {
		files += len(f.Paths)
	}
	a := &plan{Warned: warnings}
	if _, err := a.Choose(&o, list); err != nil {
		return nil, files, nil, err
	}
	if err := takeCensus(ctx, list, true); err != nil {
		return nil, files, nil, err
	}
	if err := a.Settle(list, o.Peers); err != nil {
		return nil, files, nil, err
	}
	return a.System, files, a.Warned, nil
}
