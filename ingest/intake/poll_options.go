package intake

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/ingest/store"
)

// A Store has the settings of a store of metrics that is polled.
type Store struct {
	Name     string
	Connect  store.Options
	Interval time.Duration // time between two polls
	// A series counts as ended if its last sample is older than the newest sample of its server by
	// more than Late.
	Late time.Duration
	// Since applies to a server without stored samples. When limpet sees the server for the first
	// time, it reads no samples that are older than Since.
	Since time.Duration
	// Reach is the largest age of samples of any server. Older samples are not
	// read, even if the server was silent for longer.
	Reach time.Duration
}

// DefaultStore returns the default settings of a store. The name and the address of the store are
// empty.
func DefaultStore() Store {
	return Store{Connect: store.DefaultOptions(), Interval: 15 * time.Second, Late: time.Minute, Since: time.Hour, Reach: 24 * time.Hour}
}

// Validate reports the invalid settings of the stores.
func Validate(stores []Store) error {
	var errs []error
	names := map[string]bool{}
	for i := range stores {
		s := &stores[i]
		switch {
		case s.Name == "":
			errs = append(errs, errors.New("a store has no name: write the setting \"name\""))
		case names[s.Name]:
			errs = append(errs, fmt.Errorf("two stores have the name %q: give each store its own name", s.Name))
		case s.Interval < time.Second || s.Interval > time.Hour:
			errs = append(errs, fmt.Errorf("store %s: the setting \"interval\" is %v: give a time from 1s to 1h", s.Name, s.Interval))
		case s.Late < 0 || s.Late > time.Hour:
			errs = append(errs, fmt.Errorf("store %s: the setting \"late\" is %v: give a time of at most 1h", s.Name, s.Late))
		case s.Since <= 0 || s.Reach < s.Since:
			errs = append(errs, fmt.Errorf("store %s: the setting \"since\" is %v, and \"reach\" is %v: \"since\" must be more than 0, and \"reach\" must not be shorter than \"since\"", s.Name, s.Since, s.Reach))
		}
		names[s.Name] = true
		if err := s.Connect.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("store %s: %w", s.Name, err))
		}
	}
	return errors.Join(errs...)
}
