package bus_test

import (
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/bus/bustest"
)

func TestLocalKeepsThePromise(t *testing.T) { bustest.Test(t, bus.NewLocal(time.Now, time.Second)) }
