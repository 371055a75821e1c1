// Package alert decides which receiver gets which notification, and delivers the notifications.
//
// The input is events of incidents and the times of rows. The output is notifications to a webhook,
// an Alertmanager, a file or a stream. An incident that lasts becomes an alert. An alert fires once
// and resolves once, even if the incident recovers and comes back in between.
//
// The package has two halves:
//
//   - [Alerter] decides. It uses only the time of rows, and no clock. It stores its state in
//     the ledger, in the transaction that writes the event. The same rows always lead to the same
//     notifications, however often the process is killed. No alert fires for an incident that
//     is muted or part of another incident. With the default options, no alert fires for a
//     harmless incident. If an incident becomes muted, harmless or part of another incident,
//     its alert resolves.
//   - [Outbox] delivers. The ledger stores each notification in the table `deliveries`, with a key
//     that is unique for the receiver. The outbox passes the notification to a [Sender] again and
//     again, until the receiver acknowledges the notification. If all deliveries to the receiver have
//     failed for DeliveryOptions.SetAside, notifications that the receiver refuses are set aside. In a cluster, one node decides and one node delivers to each
//     receiver (package cluster, [Turns]).
//
// On disk, all data of the package is in the ledger: in the tables `alerts` and `deliveries`. Read
// alerter.go first, then outbox.go.
package alert
