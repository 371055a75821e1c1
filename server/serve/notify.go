package serve

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Notify sends the service manager the message that the service is ready, and then regularly that
// it is alive. If the watch makes no progress, Notify sends nothing. Without a service manager,
// Notify does nothing.
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
