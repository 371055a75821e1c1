// Package remotewrite sends samples to a store by remote write 1.0, which every store
// understands. Of 2.0 VictoriaMetrics says that it has stored it, and has not.
package remotewrite
