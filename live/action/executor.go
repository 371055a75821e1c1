package action

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	plan "github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/topology"
)

// Now is the part of the present diagnosis that the executor needs.
type Now struct {
	System   *topology.System
	Open     []incident.Incident // all incidents and suspects that are not over
	Silent   []string            // names of the servers that have sent no data lately
	Headline func(*incident.Incident) string
	// Stale is the reason why no action may begin, for example data that are too old. It is empty
	// if actions may begin.
	Stale string
}

// Options are the settings of an executor.
type Options struct {
	Ledger  *ledger.Ledger
	Policy  func() *plan.Policy // returns nil if there is no policy
	Now     func() Now
	Latency LatencyFunc
	Runner  Runner
	// Turns decides which node of a cluster carries out actions. It is nil if there is no cluster.
	Turns  Turns
	Clock  func() time.Time
	Report func(sentence string)
	// Warn is called instead of Report with a sentence about a problem. If Warn is nil, Report is
	// called.
	Warn func(sentence string)

	Every         time.Duration // time between two calls of Look
	BeginLimit    time.Duration // longest time between the approval and the start of an action; after this time the action is blocked
	CommandLimit  time.Duration // longest time that a driver's command may run
	SettleLimit   time.Duration // longest time for which the storage may still show the old state after a driver's command
	RecheckEvery  time.Duration // time between two queries of the state of a masked part
	FirstRetry    time.Duration // wait before the second attempt to undo an action; each further wait is twice as long
	LongestRetry  time.Duration
	BlockedPause  time.Duration // after an action was blocked: wait before the next action on the same incident; each further wait is twice as long
	LongestPause  time.Duration
	betweenSteps  func(point string) // only for tests: called between any two steps
	latencyWindow time.Duration      // a verdict on an action needs latencies over this time after the action; only tests change this value
}

// DefaultOptions returns the default times. A command of a storage tool usually takes seconds. If
// the storage cluster has no quorum, the command may never end. CommandLimit ends such a command,
// because the command would delay all other actions.
func DefaultOptions() Options {
	return Options{
		Every: 5 * time.Second, BeginLimit: 15 * time.Minute, CommandLimit: 30 * time.Second, SettleLimit: time.Minute, RecheckEvery: 10 * time.Minute, FirstRetry: time.Minute, LongestRetry: 10 * time.Minute,
		BlockedPause: 15 * time.Minute, LongestPause: 6 * time.Hour, Clock: time.Now, Report: func(string) {}, //nolint:forbidigo // the executor uses the clock of this machine
		betweenSteps: func(string) {}, latencyWindow: plan.VerdictSeconds * time.Second,
	}
}

func (o *Options) warn(sentence string) {
	if o.Warn == nil {
		o.Report(sentence)
		return
	}
	o.Warn(sentence)
}

// Validate returns an error if an option is missing, or if a time is not positive or contradicts
// another time.
func (o *Options) Validate() error {
	switch {
	case o.Ledger == nil || o.Policy == nil || o.Now == nil || o.Latency == nil || o.Runner == nil || o.Clock == nil || o.Report == nil:
		return errors.New("internal error: an option of the executor of actions is missing")
	case o.Every <= 0 || o.BeginLimit <= 0 || o.CommandLimit <= 0 || o.SettleLimit <= 0 || o.RecheckEvery <= 0 || o.FirstRetry <= 0 || o.LongestRetry < o.FirstRetry || o.BlockedPause <= 0 || o.LongestPause < o.BlockedPause:
		return errors.New("internal error: every time limit of actions must be above 0 s, and the first waiting time must not be longer than the longest waiting time")
	}
	return nil
}

// Executor executes actions until its method Run returns. Only one goroutine may call Run or Look.
// Several goroutines may call the other methods.
type Executor struct {
	o       Options
	wake    chan struct{}
	failing string // text of the last error that check reported; only the goroutine that calls Look uses this field
	// statements holds the result of Statements. It is atomic, because mu must not guard it. A
	// caller of Statements may be inside a transaction of the ledger, while the executor holds mu
	// and waits for the ledger. If Statements waited for mu, the caller and the executor would wait
	// for each other for ever.
	statements atomic.Pointer[[]Statement]

	mu      sync.Mutex // guards the fields below; never held while a driver's command runs
	turn    Turn       // right of this process to carry out actions; nil if another node has this right
	seq     int64      // number of the last record
	actions map[string]*Action
	stopped Switch
	note    string // reason why no action may begin; empty if actions may begin
}

// Open reads the actions of earlier processes from the ledger. No driver's command runs before Run
// is called.
func Open(ctx context.Context, o Options) (*Executor, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	x := &Executor{o: o, wake: make(chan struct{}, 1)}
	if o.Turns == nil {
		x.turn = singleProcess{o.Ledger}
	}
	return x, x.load(ctx)
}

// load reads the actions from the ledger: the actions that are not over, and the actions that ended
// within the last plan.KeptSeconds. It also reads the state of the switch that stops all actions.
func (x *Executor) load(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.o.Ledger.Step(ctx, func(tx *ledger.Tx) (err error) {
		actions := map[string]*Action{}
		seq, err := tx.LastActionRecord()
		if err != nil {
			return err
		}
		text, err := tx.ActionSwitch()
		if err != nil {
			return err
		}
		var stopped Switch
		if text != nil {
			if err := json.Unmarshal(text, &stopped); err != nil {
				return fmt.Errorf("limpet cannot read from the ledger whether all actions are stopped: %w", err)
			}
		}
		stored, err := tx.Actions(x.unix() - plan.KeptSeconds)
		if err != nil {
			return err
		}
		for _, one := range stored {
			a, err := Decode(one)
			if err != nil {
				return fmt.Errorf("action %s cannot be read from the ledger: %w", one.ID, err)
			}
			actions[a.ID] = &a
		}
		x.seq, x.stopped, x.actions = seq, stopped, actions
		return nil
	})
}

// Run carries out actions until the context ends. In a cluster it does so whenever this node has
// the turn (the right to carry out actions).
func (x *Executor) Run(ctx context.Context) error {
	if x.o.Turns == nil {
		x.hold(ctx, x.turn)
		return nil
	}
	for ctx.Err() == nil {
		turn, err := x.await(ctx)
		if ctx.Err() != nil {
			if turn != nil {
				turn.End()
			}
			return nil
		}
		if err != nil {
			x.check(fmt.Errorf("this node cannot take over the actions: %w", err))
			x.sleep(ctx)
			continue
		}
		x.hold(ctx, turn)
		x.setTurn(nil)
		turn.End()
	}
	return nil
}

func (x *Executor) sleep(ctx context.Context) {
	select {
	case <-time.After(x.o.Every):
	case <-ctx.Done():
	}
}

// await waits for the turn. Meanwhile it reads the actions from the ledger, so that this node can
// show the actions of the node that has the turn. A node without a policy does not request the turn.
func (x *Executor) await(ctx context.Context) (Turn, error) {
	type taken struct {
		turn Turn
		err  error
	}
	answer := make(chan taken, 1)
	asked := false
	for asked || ctx.Err() == nil { // if Take was called, wait until Take returns; when the context ends, Take returns soon
		if policy := x.o.Policy(); policy != nil && !asked {
			asked = true
			go func() {
				turn, err := x.o.Turns.Take(ctx, digest(policy))
				answer <- taken{turn, err}
			}()
		}
		select {
		case a := <-answer:
			if a.err == nil {
				a.err = x.beginTurn(a.turn)
			}
			if a.err != nil && a.turn != nil {
				a.turn.End()
				a.turn = nil
			}
			return a.turn, a.err
		case <-time.After(x.o.Every):
		case <-x.wake:
		}
		if err := x.load(ctx); ctx.Err() == nil {
			x.check(err)
			x.noteHolder()
			now := x.o.Now()
			x.makeStatements(&now)
		}
	}
	return nil, ctx.Err()
}

// beginTurn stores the turn of this process, and reads the ledger.
func (x *Executor) beginTurn(t Turn) error {
	x.setTurn(t)
	return x.load(t.Context())
}

// setTurn stores the turn of this process, or nil if this process has no turn.
func (x *Executor) setTurn(t Turn) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.turn = t
}

// noteHolder sets x.note to a sentence about the node that carries out actions.
func (x *Executor) noteHolder() {
	node, policy := x.o.Turns.Holder()
	mine := x.o.Policy()
	note := fmt.Sprintf("node %s of the cluster carries out actions", node)
	switch {
	case node == "":
		note = "no node of the cluster carries out actions: write the setting \"policy\" into the configuration of at least one node"
	case mine != nil && digest(mine) != policy:
		note += ". Its policy differs from the policy of this node: write the same policy on all nodes"
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.note = note
}

// hold carries out actions until the turn is lost or the context ends. In a cluster, hold also
// returns when the policy of this node was removed.
func (x *Executor) hold(ctx context.Context, turn Turn) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(turn.Context(), stop)()
	var orders sync.WaitGroup
	defer orders.Wait()
	orders.Go(func() { x.executeOrders(ctx, turn) })
	tick := time.NewTicker(x.o.Every)
	defer tick.Stop()
	for {
		x.Look(ctx)
		if x.o.Turns != nil && x.o.Policy() == nil { // the policy was removed: give the turn back, because another node may have a policy
			stop()
		}
		select {
		case <-tick.C:
		case <-x.wake:
		case <-turn.Changed():
			if err := x.load(ctx); ctx.Err() == nil {
				x.check(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// executeOrders executes operators' commands that other nodes have passed on.
func (x *Executor) executeOrders(ctx context.Context, turn Turn) {
	for {
		select {
		case o := <-turn.Orders():
			out, err := x.execute(ctx, o.Order)
			if err == nil {
				err = o.Answer(ctx, out)
			}
			if err != nil && ctx.Err() == nil {
				x.o.warn(fmt.Sprintf("the command %q of operator %s was not executed: %v", o.Verb, o.Who, err))
			}
		case <-ctx.Done():
			return
		}
	}
}

// Look executes the next steps of all actions that do not have to wait. Then it creates new actions.
// Only one goroutine may call Look.
func (x *Executor) Look(ctx context.Context) {
	if !x.acts() {
		return
	}
	now := x.o.Now()
	for _, a := range x.Actions() {
		if !a.State.IsFinal() && ctx.Err() == nil {
			x.advance(ctx, &a, &now)
		}
	}
	if ctx.Err() == nil {
		x.begin(ctx, &now)
		x.makeStatements(&now)
	}
	x.forget()
}

// acts reports whether this process has the turn.
func (x *Executor) acts() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.turn != nil && x.turn.Context().Err() == nil
}

// Actions returns two kinds of actions: the actions that are not over, and the actions that ended
// within the last 30 days. The list has the order in which the actions were created.
func (x *Executor) Actions() []Action {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.list()
}

func (x *Executor) list() []Action {
	list := make([]Action, 0, len(x.actions))
	for _, a := range x.actions {
		list = append(list, *a)
	}
	slices.SortFunc(list, func(a, b Action) int {
		return cmp.Or(cmp.Compare(number(a.ID), number(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return list
}

func number(id string) int64 { n, _ := strconv.ParseInt(id, 10, 64); return n }

// Switch returns the state of the switch that stops all actions.
func (x *Executor) Switch() Switch {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.stopped
}

// Note returns the reason why this process begins no action, for example because another node
// carries out actions. The text is empty if this process may begin actions.
func (x *Executor) Note() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.note
}

func (x *Executor) unix() int64 { return x.o.Clock().Unix() }

// forget removes from memory all actions that ended more than plan.KeptSeconds ago. The ledger
// keeps these actions for a longer time.
func (x *Executor) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	before := x.unix() - plan.KeptSeconds
	maps.DeleteFunc(x.actions, func(_ string, a *Action) bool { return a.State.IsFinal() && a.Ended < before })
}

// append writes a record, and the state of its action, into the ledger. It changes the action in
// memory only after the ledger has stored the record. The caller holds no lock.
func (x *Executor) append(ctx context.Context, r Record, change func(*Action) error) (Action, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.appendLocked(ctx, r, change)
}

func (x *Executor) appendLocked(ctx context.Context, r Record, change func(*Action) error) (Action, error) {
	next := Action{}
	if was := x.actions[r.Action]; was != nil {
		next = *was
	}
	r.Seq, r.Time = x.seq+1, x.unix()
	if r.Event == Created {
		r.Action = strconv.FormatInt(r.Seq, 10)
	}
	if err := change(&next); err != nil {
		return next, err
	}
	next.ID, r.State = r.Action, next.State
	if next.State.IsFinal() && next.Ended == 0 {
		next.Ended = r.Time
	}
	r.Answer, r.Text = shortened(r.Answer), shortened(r.Text)
	document, err := json.Marshal(r)
	if err != nil {
		return next, err
	}
	state, err := json.Marshal(next)
	if err != nil {
		return next, err
	}
	x.o.betweenSteps("before record " + string(r.Event))
	err = x.write(ctx, &ledger.ActionChange{
		Record: &ledger.ActionRecord{Seq: r.Seq, Action: r.Action, Time: r.Time, Document: document},
		Action: &ledger.Action{ID: next.ID, Incident: next.Incident, Ended: next.Ended, Document: state},
	})
	if err != nil {
		return next, fmt.Errorf("action %s cannot be saved: %w", r.Action, err)
	}
	x.seq, x.actions[next.ID] = r.Seq, &next
	x.o.betweenSteps("after record " + string(r.Event))
	return next, nil
}

// write stores a change of an action or of the switch in the ledger. The caller holds x.mu.
func (x *Executor) write(ctx context.Context, c *ledger.ActionChange) error {
	if x.turn == nil {
		return errOtherNode
	}
	return x.turn.Write(ctx, c)
}

// errOtherNode is the error of a node that has lost its turn.
var errOtherNode = errors.New("another node of the cluster now carries out the actions: try again")

// mostShown is the largest number of bytes that a record keeps of the output of a driver's command.
// An error message, or the printed state of a storage pool, has fewer bytes.
const mostShown = 4000

func shortened(text string) string {
	if len(text) <= mostShown {
		return text
	}
	return fmt.Sprintf("%s … (%d more bytes are not shown)", toValid(text[:mostShown]), len(text)-mostShown)
}
