import type { User } from '#contract/people/schemas.ts';

/** A request for a page, with the data that its `prefetch` reads. */
export type PageVisit = {
  /** The parameters of the path, by name. */
  params: Readonly<Record<string, string | undefined>>;
  search: URLSearchParams;
  /** The state of the entry of the browser's history, if the visit goes back to one. */
  historyState: unknown;
  /** Resolves to the signed-in user; null for guests. */
  user: Promise<User | null>;
};
