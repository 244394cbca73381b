/** The outcome of one change: the server acknowledged it, refused it, or it is unknown. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** The ledger keeps what clients know of the things that they change, and so what a server may show after it was killed. */
export type Ledger = {
  /** Notes what `thing` may be from now on, makes the change and notes how it went. Null: there is no such thing. */
  change: (thing: string, value: string | null, send: () => Promise<Outcome>) => Promise<Outcome>;
  /** Returns the known state of a thing; undefined where a change of it went unanswered. */
  valueOf: (thing: string) => string | null | undefined;
  /** The things that are other than any client could know, in words; `actual` counts as known from then on. */
  settle: (actual: ReadonlyMap<string, string>) => string[];
  /** Changes that were acknowledged, and those without a known outcome, since the beginning. */
  counts: { acknowledged: number; unknown: number };
};

/** Every thing is changed by one client at a time. */
export function openLedger(): Ledger {
  const possible = new Map<string, ReadonlySet<string | null>>();
  const counts = { acknowledged: 0, unknown: 0 };
  return {
    counts,
    change: async (thing, value, send) => {
      const before = possible.get(thing) ?? new Set([null]);
      possible.set(thing, new Set([...before, value]));
      const outcome = await send();
      if (outcome === 'done') possible.set(thing, new Set([value]));
      if (outcome === 'refused') possible.set(thing, before);
      if (outcome === 'done') counts.acknowledged += 1;
      if (outcome === 'unknown') counts.unknown += 1;
      return outcome;
    },
    valueOf: (thing) => {
      const [value = null, ...others] = possible.get(thing) ?? [];
      return others.length === 0 ? value : undefined;
    },
    settle: (actual) => {
      const wrong: string[] = [];
      for (const [thing, values] of possible) {
        const value = actual.get(thing) ?? null;
        if (!values.has(value)) wrong.push(`${thing} is ${value}, not ${[...values].join(' or ')}`);
        possible.set(thing, new Set([value]));
      }
      // Lists what is there although no client has asked for it.
      for (const [thing, value] of actual) if (!possible.has(thing)) wrong.push(`${thing} is ${value}`);
      return wrong;
    },
  };
}
