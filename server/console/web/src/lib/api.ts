// Requests to the API. An error is one plain sentence that can be shown.

import type { SystemDocument } from "./types";

const BASE = "api/v1";

/** server is by how many seconds its clock is ahead of this machine's, as answers of the API say. */
export const server = { ahead: 0 };

/** pending counts requests under way; tests wait until there are none. */
export const pending = { count: 0 };

export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

type Parameters = Record<string, string | number | undefined>;

function address(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `${BASE}${path}${text && "?"}${text}`;
}

async function ask<T>(url: string, options: RequestInit = {}): Promise<T> {
  pending.count++;
  try {
    const answer = await fetch(url, { credentials: "same-origin", ...options }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Refused(0, "The server does not answer. The server may be restarting; this page tries again.");
    });
    const date = Date.parse(answer.headers.get("Date") ?? "");
    if (!Number.isNaN(date) && url.startsWith(BASE)) server.ahead = Math.round((date - Date.now()) / 1000);
    if (!answer.ok) throw new Refused(answer.status, await reason(answer));
    return (await answer.json()) as T;
  } finally {
    pending.count--;
  }
}

async function reason(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const text = (body as { error?: string } | undefined)?.error ?? `The server answered ${answer.status}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** get asks for a document. Names in paths must be encoded by the caller. */
export function get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  return ask<T>(address(path, parameters), signal ? { signal } : {});
}

/** post sends something that changes the site. */
export function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return ask<T>(address(path, {}), { method: "POST", headers, body: JSON.stringify(body) });
}

export const getSystem = (): Promise<SystemDocument> => ask("console/system.json");

/** encodeName writes a name of a component into a path; its slashes stay. */
export const encodeName = (name: string): string => name.split("/").map(encodeURIComponent).join("/");

export const events = (after: number): EventSource => new EventSource(address("/events", { after }));
