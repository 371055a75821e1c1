//go:build !unix

package screen

import "os"

func watchSignals() (<-chan os.Signal, func()) { return nil, func() {} }

func meaning(os.Signal) signalKind { return noSignal }

func stopSelf() {}

const canStop = false
