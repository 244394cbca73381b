import { setImmediate as untilAllHaveAsked } from 'node:timers/promises';

/**
 * How long a board version may be used after it was asked for. Who changes a board waits at least as long before they say that
 * it is done, so nobody is told of a change that a copy of the server does not show yet.
 */
export const BOARD_LEASE_MS = 10;

/** Gives the board version of a track, as it is at the time of the call, or was within the lease before; undefined where there is none. */
export type FindBoardVersion = (trackId: string) => string | Promise<string | undefined>;

/**
 * Reads board versions for many calls at once: those that come while a reading is under way are answered by the next one, so
 * that nobody gets a version that was read before they asked, and a busy server asks its database some thousand times a
 * second less. A reading begins when all calls that have come by then have asked. What was read is good for `leaseMs` from the
 * beginning of the reading. `readVersions` gives the versions of the tracks that there are.
 */
export function shareBoardVersions(
  readVersions: (trackIds: string[]) => Promise<ReadonlyMap<string, string>>,
  leaseMs: number,
): FindBoardVersion {
  const leases = new Map<string, { version: string; endMs: number }>();
  let waiting = new Set<string>();
  let next: Promise<ReadonlyMap<string, string>> | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  const lease = async (trackIds: string[]): Promise<ReadonlyMap<string, string>> => {
    const endMs = performance.now() + leaseMs;
    const versions = await readVersions(trackIds);
    for (const [trackId, version] of versions) leases.set(trackId, { version, endMs });
    return versions;
  };
  const read = (): Promise<ReadonlyMap<string, string>> => {
    const trackIds = [...waiting];
    waiting = new Set();
    next = null;
    const versions = lease(trackIds);
    underWay = versions;
    return versions;
  };
  const find = async (trackId: string): Promise<string | undefined> => {
    waiting.add(trackId);
    next ??= underWay.then(untilAllHaveAsked, untilAllHaveAsked).then(read);
    return (await next).get(trackId);
  };
  return (trackId) => {
    const leased = leases.get(trackId);
    return leased && performance.now() < leased.endMs ? leased.version : find(trackId);
  };
}
