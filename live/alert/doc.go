// Package alert decides which receiver gets which notification, and delivers it.
//
// Events of incidents and the time of rows come in. Notifications go out: to a webhook, an
// Alertmanager, a file or a stream. An incident that lasts becomes an alert; an alert fires
// once and resolves once, whatever the incident does in between.
//
// The package has two halves:
//
//   - [Alerter] decides. It uses the time of rows alone and stores its state in the ledger,
//     in the transaction that writes the event. The same rows make the same notifications,
//     however often the process is killed. No alert fires for an incident that is muted,
//     harmless or part of another incident. If an incident becomes muted, harmless or part
//     of another incident, its alert resolves.
//   - [Outbox] delivers. A notification is a row of the outbox in the ledger, with a key of
//     its own. A [Sender] sends the notification until the receiver acknowledges it.
//
// On disk everything is in the ledger: tables alerts and deliveries. Read alerter.go first,
// then outbox.go.
package alert
