import type {
  LiveDriver,
  LiveMove,
  LiveSession,
  LiveStateAnswer,
  LiveUpdate,
} from '#contract/live/schemas.ts';

/** Holds what a page knows of a live session. */
export type LiveView = {
  session: LiveSession;
  drivers: LiveDriver[];
  /** Holds the positions of the drivers who show them. */
  positions: ReadonlyMap<number, { lat: number; lon: number }>;
  /** The server's clock is this far ahead of this one. */
  aheadMs: number;
  hasEnded: boolean;
};

export function beginView({ session, drivers, positions, now }: LiveStateAnswer, ownNow: number): LiveView {
  const shown = new Map(positions.map(([number, lat, lon]) => [number, { lat, lon }]));
  return { session, drivers, positions: shown, aheadMs: now - ownNow, hasEnded: false };
}

/** Returns the view with the drivers that have changed. An update with a session replaces everything. */
export function addUpdate(view: LiveView, update: LiveUpdate, ownNow: number): LiveView {
  const { session, drivers, gone, now } = update;
  if (session) {
    const begun = beginView({ session, drivers, positions: update.positions ?? [], now }, ownNow);
    return update.positions ? begun : { ...begun, positions: view.positions };
  }
  const byNumber = new Map(view.drivers.map((driver) => [driver.number, driver]));
  const positions = new Map(view.positions);
  for (const driver of drivers) {
    byNumber.set(driver.number, driver);
    if (driver.state !== 'on_track' || !driver.showsLine) positions.delete(driver.number);
  }
  for (const number of gone) {
    byNumber.delete(number);
    positions.delete(number);
  }
  return { ...view, drivers: [...byNumber.values()], positions, aheadMs: now - ownNow, hasEnded: false };
}

/** Returns the view after fixes of drivers came. */
export function addMoves(view: LiveView, moves: readonly LiveMove[], ownNow: number): LiveView {
  const seen = new Map(moves.map(([number, ...at]) => [number, at]));
  const positions = new Map(view.positions);
  for (const [number, [lat, lon]] of seen) {
    if (lat === undefined || lon === undefined) positions.delete(number);
    else positions.set(number, { lat, lon });
  }
  const seenAt = ownNow + view.aheadMs;
  const drivers = view.drivers.map((driver) => (seen.has(driver.number) ? { ...driver, seenAt } : driver));
  return { ...view, drivers, positions };
}
