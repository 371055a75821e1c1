// Package live is a diagnosis that never stops, on one machine or on several.
//
// Rows come in: from activity files that grow (ingest/activity), or from the logs of a
// cluster. Incidents go out: to the ledger, to the receivers of alerts, and to the API and
// the console (server). The packages of the room keep, between the two, everything that must
// survive a kill:
//
//		rows ── watch ──────────────── engine ── events ── announce ── ledger ── alert ── receivers
//		          ├── journal                                 └─────── history
//		          └── cluster: the same, divided among several processes
//
//	  - watch runs the engine in one process. It logs a row, judges it and writes the result.
//	  - announce writes events and operators' commands into the ledger and the history.
//	  - journal stores the engine: a snapshot, and the rows since.
//	  - ledger stores incidents, events, commands, the state of alerts and the outbox.
//	  - history stores measured values and scores, for plots and maps of the past.
//	  - alert decides which receiver gets which notification, and delivers it.
//	  - cluster divides the work among several processes, and shows the whole on each.
//
// # What a kill of serve leaves
//
// All files lie in the directory that the configuration calls state. A process that is
// killed at any instant leaves them as follows. The next process opens them and continues as
// if the kill had not happened: it loses no incident, and sends at most one batch of
// notifications to each receiver again (see below).
//
//	file                               written by  after a kill
//	journal/lock                       journal     empty; the lock ends with the process
//	journal/00000042.snapshot          journal     whole: it is renamed into place after a sync
//	journal/00000042.log               journal     whole up to the last record; a record that is
//	                                               cut short is cut off
//	journal/00000041.snapshot, .log    journal     the generation before, in case the last is damaged
//	journal/00000043.snapshot.tmp      journal     an unfinished snapshot; Open removes it
//	journal/00000040.snapshot.damaged  journal     a snapshot that could not be read; kept for a person
//	ledger.sqlite                      ledger      whole transactions: an event, its incident and
//	                                               the state of its alert, or none of them; an alert
//	                                               that waits gets its notifications in a later
//	                                               transaction
//	ledger.sqlite-wal, -shm            ledger      transactions that SQLite has not folded in yet
//	history/steps/*.parquet            history     whole files of at most an hour; the hour under way
//	                                               is rebuilt from the journal
//	history/quarters/*.parquet         history     the same, for quarter hours; the files of a past day
//	                                               are joined into one file. After a kill the joined
//	                                               file and its parts may both exist: Open removes
//	                                               the parts
//	history/windows/*.parquet          history     the same as quarters, for scores of windows
//	history/*/.unfinished-*            history     an unfinished file; Open removes it
//	intake/.intake.lock                ingest      empty; the lock ends with the process
//	intake/HOST-….sa                   ingest      activity file made of pushed and scraped samples; a
//	                                               record that is cut short is cut off
//	intake/.HOST-….sa.part             ingest      a file with an unfinished header; Open removes it
//
// The outbox is a table of ledger.sqlite (deliveries). A notification that a receiver has
// taken, and whose acknowledgement is not in the table yet, is sent again with the same key.
// No other notification is sent twice, apart from the reminders to an Alertmanager.
//
// A receiver may be a file of JSON lines, at a path that the configuration gives. After a
// kill this file may end in half a line. The next delivery ends that line and writes its
// notification on a new line.
//
// A node of a cluster leaves the same ledger and history and no journal: NATS stores the
// logs of rows and of output, the leases, and the states of the engines (package cluster).
//
// # What it may touch
//
// The room imports internal, topology, engine, ingest and report. It writes below the state
// directory, sends notifications to receivers of alerts (which may be files), connects to
// NATS, and reads the clock that its options contain. Decisions depend on the time of rows
// alone.
//
// Read first: watch/step.go (what happens to a row), journal/recover.go (what happens
// after a kill), cluster/replica.go (why a task runs in one place only).
package live
