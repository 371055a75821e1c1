// The documents of the API, as server/api/openapi.yaml describes them: what the
// console reads of each.

export type Stamp = string; // RFC 3339 in UTC
export type Value = number | null;

export interface Onset {
  at: Stamp;
  early: Stamp;
  late: Stamp;
  earlier: boolean;
  unknown: boolean;
}

export interface Member {
  component: string;
  server?: string;
  role: string;
  odd: boolean;
  times_slower?: number; // since its onset
  peak_times_slower?: number; // the greatest ratio at any time since then
  own?: number;
  peers?: number;
  unit?: string;
  times_load?: number;
  since?: Stamp;
}

export interface Evidence {
  metric: string;
  component: string;
  decides: boolean;
  own: Value;
  peers: Value;
  unit: string;
  score: Value;
  threshold: Value;
  from?: Stamp;
  to?: Stamp;
  scale?: string;
}

export interface RuledOut {
  explanation: string;
  why: string;
}

/** Place is what would have to be repaired. */
export interface Place {
  tier: string;
  name: string;
  noun?: string; // what people call it, where that differs from the tier
}

export interface Incident {
  id?: string;
  class: string;
  kind: string;
  harmless: boolean;
  place: Place;
  joined?: Place[];
  phase: "pending" | "active" | "recovering" | "cleared";
  muted: boolean;
  onset: Onset;
  present_onset: Onset;
  suspected?: Stamp;
  confirmed?: Stamp;
  becomes?: Stamp;
  last?: Stamp;
  unjudged?: Stamp;
  cleared?: Stamp;
  ending?: string;
  spans: { from: Stamp; to?: Stamp }[];
  times_slower?: number; // since its onset: the number of the headline
  least_times_slower?: number;
  most_times_slower?: number;
  nats?: number;
  chance_years?: number; // once in so many years chance does as much; 1000: less often
  waited_seconds?: number;
  members: Member[];
  evidence: Evidence[];
  ruled_out: RuledOut[];
  not_checked?: RuledOut[];
  comments: { time: Stamp; text: string }[];
  title: string;
  headline: string;
  because: string[];
  next: Next[];
  action?: Proposal; // only with a policy
}

/** Proposal is what the policy would do, or why it would do nothing. */
export interface Proposal {
  decision: "would do" | "refused";
  component?: string;
  text: string;
  command?: string;
}

/** Action is what limpet asked, did or reversed. */
export interface Action {
  id: string;
  text: string;
  state: string;
  command: string;
  created: Stamp;
  ended?: Stamp;
  approved_by?: string;
  undo_by?: string;
  reason?: string;
  trouble?: string;
}

/** Next is something to do. Commands are to be read: limpet runs none. */
export interface Next {
  text: string;
  command?: string;
  guard?: string;
}

export interface UserList {
  open: boolean;
  users: { name: string; how: string; roles: string[] }[];
}

export type Section = "now" | "suspected" | "recovering" | "over" | "harmless" | "muted";

export interface Said {
  time: Stamp;
  user: string;
  verb: string;
  component?: string;
  text?: string;
  until?: Stamp;
  incident?: string;
  place?: string;
}

export interface Kept {
  incident: Incident;
  section: Section;
  muted_until?: Stamp;
  muted_by?: string;
  was?: Said;
}

export interface History extends Kept {
  events: { number: number; time: Stamp; change: string; id: string; text: string }[];
  said: Said[];
  actions: Action[];
}

export interface IncidentList {
  at?: Stamp;
  verdict: string;
  incidents: Kept[];
  suspects: Incident[];
  next?: string;
}

export interface Past {
  incidents: Kept[];
  next?: string;
}

export interface Source {
  name: string;
  kind: string;
  state: "reading" | "live" | "late" | "silent" | "failing";
  last?: Stamp;
  lag_seconds: Value;
  samples: number;
  dropped: number;
  text: string;
}

export interface Trouble {
  kind: string;
  since?: Stamp;
  text: string;
}

export interface Status {
  limpet: string;
  system: string;
  ready: boolean;
  waiting?: string;
  at?: Stamp;
  verdict: string;
  nothing_limps: boolean;
  event: number;
  user: string;
  roles: string[];
  sources: Source[];
  troubles: Trouble[];
  warnings: string[];
}

export interface Score {
  metric: string;
  end: Stamp;
  state: string;
  reason?: string;
  score: Value;
  threshold: Value;
  own?: number;
  peers?: number;
  suspect: boolean;
}

export interface Component {
  name: string;
  kind: string;
  group: number;
  size_bytes?: number;
  priority?: number;
  scores: Score[];
  incidents: string[];
  [inventory: string]: unknown;
}

export interface Verdict {
  name: string;
  score: Value;
  threshold: Value;
  state: string;
  reason?: string;
  own?: number;
  peers?: number;
  suspect: boolean;
}

export interface Group {
  id: number;
  name: string;
  members: number;
  too_small: boolean;
  windows?: { metric: string; start: Stamp; end: Stamp; components: Verdict[] }[];
}

export interface Series {
  component: string;
  group: number;
  metric: string;
  what: What;
  unit: string;
  from: Stamp;
  step_seconds: number;
  values: Value[];
  thresholds?: Value[];
  peers: { quantile: number; values: Value[] }[];
  members: number;
}

export type What = "value" | "score";

export interface FleetFigure {
  name: string;
  share: number;
  part: number;
  whole: number;
  low: Value;
  high: Value;
  unsure?: string;
}

export interface FleetPart {
  kind: string;
  groups: number;
  drives: number;
  drive_hours: number;
  slow_now: number;
  drives_now: number;
  figures: FleetFigure[];
  tables: {
    name: string;
    title: string;
    note?: string;
    columns: string[];
    units: string[];
    rows: { label: string; component?: string; values: Value[] }[];
  }[];
}

/** How common limping was, by T16's definitions. */
export interface Fleet {
  days: number;
  reading?: number; // share that is read, while the server counts
  from?: Stamp;
  to?: Stamp;
  grouping: string;
  parts: FleetPart[];
  warnings: string[];
}

export interface SystemMap {
  metric: string;
  what: What;
  unit: string;
  at: Stamp;
  from?: Stamp; // begin of the time that the values cover
  bound?: number;
  components?: string[];
  values: Value[];
}

export interface Deed {
  number: number;
  time: Stamp;
  user: string;
  address: string;
  action: string;
  object?: string;
  text?: string;
  outcome: string;
}

export interface Metric {
  name: string;
  unit: string;
  worse: "higher" | "lower" | "either";
  ratio: boolean; // it differs by factors
}

/** The document of the system, which package console makes. */
export interface SystemDocument {
  name: string;
  limpet: string;
  step_seconds: number;
  shift_seconds: number; // between two windows
  window_seconds: number; // length of a window
  lead: string;
  load: string;
  metrics: Metric[];
  kinds: Record<string, { meaning: string }>;
  groups: { id: number; name: string; members: number }[];
  names: string[];
  group_of: number[];
  published: { name: string; source: string; disk: Value; ssd: Value }[];
  columns: Partial<Record<ColumnName, { words: string[]; of: number[] }>>;
}

export type ColumnName =
  | "kind"
  | "server"
  | "device"
  | "wwn"
  | "lun"
  | "controller"
  | "array"
  | "drawer"
  | "slot"
  | "set"
  | "model"
  | "serial"
  | "firmware"
  | "enclosure"
  | "rack"
  | "pool"
  | "volume"
  | "made";
