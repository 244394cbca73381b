import type { User } from '#contract/people/schemas.ts';

/** What a page is asked to show: what its `prefetch` goes by. */
export type PageVisit = {
  /** Of the path, by name. */
  params: Readonly<Record<string, string | undefined>>;
  search: URLSearchParams;
  /** Of the entry of the browser's history, where the visit goes back to one. */
  historyState: unknown;
  /** The signed-in user, once that is known; null for guests. */
  user: Promise<User | null>;
};
