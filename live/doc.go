// Package live runs a diagnosis that never stops, on one machine or on several.
//
// The input is rows from activity files that grow (ingest/activity), or from the logs of a cluster.
// The output is incidents: in the ledger, as notifications to the receivers of alerts, and in the
// API and the console (server). The packages in the directory live store all data that must survive
// a kill of the process (only top stores nothing):
//
//	rows ── watch ──────────────── engine ── events ── announce ── ledger ── alert ── receivers
//	          ├── journal                                 └─────── history
//	          └── cluster: the same work, divided among several processes
//
// The packages are:
//
//   - watch runs the engine in one process. It logs each row before the engine judges the row.
//   - announce writes events and operators' commands into the ledger, and scores into the history.
//   - journal stores the state of the engine: a snapshot, and the rows and commands after it.
//   - ledger stores incidents, events, commands, the state of alerts and the outbox.
//   - history stores measured values and scores, for plots and maps of the past.
//   - alert decides which receiver gets which notification, and delivers the notification.
//   - action runs the command lines that a policy allows, and stores the history of each action in
//     the ledger.
//   - cluster divides the work among several nodes. Each node shows the result of all nodes.
//   - top shows a diagnosis of this machine, of files or of a server in a terminal. It stores
//     nothing.
//
// # Which files exist after the command limpet serve was killed
//
// These files are in the state directory (the setting "state" in the configuration); a socket and a
// file of JSON lines may be elsewhere (see below). The table shows the files after the process was
// killed at any instant. The next process opens the files and continues as if the kill had not
// happened. No incident is lost. The next process may send one batch of notifications to each
// receiver a second time (see below).
//
//	file                               written by  after a kill
//	journal/lock                       journal     empty; the lock ends with the process
//	journal/00000042.snapshot          journal     complete: a snapshot gets this name after a sync
//	journal/00000042.log               journal     complete up to the last record; Open cuts off an
//	                                               incomplete record at the end
//	journal/00000041.snapshot, .log    journal     the previous snapshot and its log, used if the last
//	                                               snapshot is damaged
//	journal/00000043.snapshot.tmp      journal     an unfinished snapshot; Open removes it
//	journal/00000040.snapshot.damaged  journal     a snapshot that could not be read; a person may
//	                                               examine it
//	ledger.sqlite                      ledger      complete transactions: an event, its incident and
//	                                               the state of its alert, or none of the three. The
//	                                               notifications of an alert that waits come in a
//	                                               later transaction
//	ledger.sqlite-wal, -shm            ledger      transactions that SQLite has not copied into
//	                                               ledger.sqlite yet
//	ledger.sqlite-sum                  ledger      complete: it has the checksum of each page of
//	                                               ledger.sqlite, except pages in ledger.sqlite-wal
//	ledger.position                    announce    complete; written after each entry of the audit trail
//	history/steps/*.parquet            history     complete files of at most one hour; the values of
//	                                               the current hour are rebuilt from the journal
//	history/quarters/*.parquet         history     complete files of quarter hours; the files of a
//	                                               past day are joined into one file. After a kill
//	                                               the joined file and its parts may both exist:
//	                                               Open removes the parts
//	history/windows/*.parquet          history     like history/quarters, for scores of windows
//	history/*/.unfinished-*            history     an unfinished file; Open removes it
//	intake/.intake.lock                ingest      empty; the lock ends with the process
//	intake/.intake.files               ingest      complete; the sizes in this list are never larger
//	                                               than the sizes of the files
//	intake/HOST-….sa                   ingest      activity file of pushed and scraped samples; Open
//	                                               cuts off an incomplete record at the end
//	intake/.HOST-….sa.part             ingest      a file with an unfinished header; Open removes it
//	.limpet-….tmp, intake/.limpet-….tmp  announce,  an unfinished ledger.position, ledger.sqlite-sum or
//	                                   ledger,     .intake.files; the next write removes it
//	                                   ingest
//	.backup-…/                         serve       the unfinished copy of a backup; the next start
//	                                               removes it
//
// A kill never removes or empties the ledger. If the ledger is missing or empty although the state
// directory has a journal or a history, the ledger was lost. Then serve does not start
// (announce.ErrLedgerLost). Each snapshot of the journal contains the identity of the ledger. So
// serve does not start either if the ledger belongs to another state directory.
//
// The journal is synced before the ledger. So after a kill, the journal has all rows and commands that
// caused the entries of the ledger. If the journal ends before the last event or command of the
// ledger, the journal is damaged. The next process reads the rows from
// their sources again and takes the commands from the ledger. If the ledger already has an event,
// the next process does not write the event or send its notifications again (watch/damage.go).
// docs/state.md describes the consequences of each damaged or missing file.
//
// A file of the history that is cut off is damaged too, because a file gets its name only after a
// sync. The store of the history reports the damaged file when the store is opened, and in every
// answer that needs the file (history.Store.Troubles).
//
// The outbox is the table `deliveries` in ledger.sqlite. The process may be killed after a receiver
// has got a notification, and before the table has the acknowledgement. The next process then sends
// the notification again, with the same key. No other notification is sent twice. The only exception
// is an Alertmanager, which gets reminders.
//
// A receiver may be a file of JSON lines, at a path that the configuration gives. After a kill the
// last line of this file may be incomplete. The next delivery first adds a line break, and then
// writes its notification on a new line.
//
// If the server listens at a socket (listen: unix:PATH), the socket is left, and the next process
// replaces it.
//
// A command line that an action has started may still run after a kill. The ledger has a record of
// its start, and the next process does not start it again (package action).
//
// A node of a cluster leaves the same files of the ledger and of the history, but no journal. NATS
// stores the logs of rows, of output and of alerts, the leases, and the states of the engines
// (package cluster). The tables `alerts` and `deliveries` of its ledger are copies of the data in
// the log of alerts.
//
// # What the packages import and write
//
// The packages below live import internal, topology, engine, ingest and report. They write below
// the state directory, send notifications to receivers of alerts (which may be files), and connect
// to NATS. Package action also runs the commands of a policy, which may write files of the kernel.
// The packages get the present time from a function in their options, except for the time limits
// of requests to NATS and the frames of package top. The times of rows decide when an alert fires or resolves, not the clock.
//
// Read first: watch/step.go (how a row is processed), journal/recover.go (how the state is restored
// after a kill), cluster/replica.go (why a task runs in one process only).
package live
