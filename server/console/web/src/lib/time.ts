// Times as text: UTC first, local beside it.

export const seconds = (stamp: string): number => Date.parse(stamp) / 1000;

export const stamp = (unix: number): string => new Date(unix * 1000).toISOString().replace(".000Z", "Z");

const pad = (n: number): string => String(n).padStart(2, "0");

/** zone is what the browser's zone is called at a time, such as CET; empty where it is UTC. */
export function zone(unix: number): string {
  const date = new Date(unix * 1000);
  if (date.getTimezoneOffset() === 0) return "";
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(date);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "local";
}

export const day = (unix: number): string => stamp(unix).slice(0, 10);

export const utc = (unix: number): string => stamp(unix).slice(11, 16);

export const full = (unix: number): string => `${day(unix)} ${utc(unix)} UTC`;

/** near leaves the day out where it is that of another time. */
export const near = (unix: number, now: number): string =>
  day(unix) === day(now) ? `${utc(unix)} UTC` : `${full(unix)}`;

/** local is the browser's time of day, with the day where it is another than in UTC. */
export function local(unix: number): string {
  const date = new Date(unix * 1000);
  const name = zone(unix);
  if (!name) return "";
  const shift = date.getDate() === date.getUTCDate() ? "" : `${pad(date.getMonth() + 1)}-${pad(date.getDate())} `;
  return `${shift}${pad(date.getHours())}:${pad(date.getMinutes())} ${name}`;
}

/** between is from one time to another as a clock shows them, to the minute: what is read adds up. */
export const between = (from: number, to: number): string =>
  to - from < 90 ? span(to - from) : span(60 * (Math.floor(to / 60) - Math.floor(from / 60)));

/** span says how long something takes: 40 s, 25 min, 3 h 20 min, 4 d 2 h, 260 days. Days are whole
 * days that have passed, as in the sentences of the server. */
export function span(length: number): string {
  const s = Math.round(Math.max(0, length));
  if (s < 90) return `${s} s`;
  const minutes = Math.round(s / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  const whole = Math.round(minutes / 60);
  return whole % 24 && whole < 240
    ? `${Math.floor(whole / 24)} d ${whole % 24} h`
    : `${Math.floor(minutes / 60 / 24)} days`;
}
