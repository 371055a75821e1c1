// Package outbox delivers notifications that the ledger holds, in order, until each
// receiver has acknowledged them.
//
// A receiver has a goroutine of its own: one that is down keeps nobody else
// waiting. What it acknowledges is noted on disk before the next is sent. A process
// that is killed between the two sends that one notification again, with the same
// key; nothing else is ever sent twice, but for receivers who are to be reminded of
// what fires, as Alertmanager is.
//
// Delivery goes by the clock of this machine; what is delivered was decided by the
// time of rows.
package outbox
