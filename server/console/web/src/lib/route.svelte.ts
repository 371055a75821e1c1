// The address is the state: what is shown, of which time. A link opens at the same
// place. Everything stands behind the #, so that the server has one page.

export interface Place {
  view: string;
  name: string;
  query: URLSearchParams;
}

function read(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/");
  return { view: view || "now", name: rest.map(decode).join("/"), query: new URLSearchParams(query) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let place = $state.raw(read(location.hash));

addEventListener("hashchange", () => {
  const next = read(location.hash);
  const moved = next.view !== place.view || next.name !== place.name;
  place = next;
  if (moved) scrollTo(0, 0);
});

/** here is where the reader is. */
export const here = (): Place => place;

export type Query = Record<string, string | number | undefined>;

/** link is the address of a view. */
export function link(view: string, name = "", query: Query = {}): string {
  const text = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== "") text.set(key, String(value));
  const path = [view === "now" ? "" : view, ...name.split("/").filter(Boolean).map(encodeURIComponent)].join("/");
  return `#/${path}${text.size ? "?" : ""}${text}`;
}

/** change changes the query of the address and leaves no step in the history. */
export function change(query: Query): void {
  const next: Query = Object.fromEntries(place.query);
  history.replaceState(history.state, "", link(place.view, place.name, { ...next, ...query }));
  place = read(location.hash);
}

/** go goes to a view. */
export function go(to: string): void {
  location.hash = to;
}
