package serve

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Notify tells the service manager that the service is ready, and from then on that it
// lives, for as long as it does: a watch that stands still gives no sign. Where there is
// no manager nobody is told.
func Notify(ctx context.Context, s *Service) {
	_, _ = daemon.SdNotify(false, daemon.SdNotifyReady)
	defer func() { _, _ = daemon.SdNotify(false, daemon.SdNotifyStopping) }()
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil || patience <= 0 {
		<-ctx.Done()
		return
	}
	tick := time.NewTicker(patience / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if s.o.Now().Sub(s.watch.Result().Made) < patience {
				_, _ = daemon.SdNotify(false, daemon.SdNotifyWatchdog)
			}
		}
	}
}
