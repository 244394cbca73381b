import { setImmediate as untilAllHaveAsked } from 'node:timers/promises';

/** Gives the board version of a track, as it is at the time of the call or later; undefined where there is no such track. */
export type FindBoardVersion = (trackId: string) => Promise<string | undefined>;

/**
 * Reads board versions for many calls at once: those that come while a reading is under way are answered by the next one, so
 * that nobody gets a version that was read before they asked, and a busy server asks its database some thousand times a
 * second less. A reading begins when all calls that have come by then have asked. `readVersions` gives the versions of the
 * tracks that there are.
 */
export function shareBoardVersions(
  readVersions: (trackIds: string[]) => Promise<ReadonlyMap<string, string>>,
): FindBoardVersion {
  let waiting = new Set<string>();
  let next: Promise<ReadonlyMap<string, string>> | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  const read = (): Promise<ReadonlyMap<string, string>> => {
    const trackIds = [...waiting];
    waiting = new Set();
    next = null;
    const versions = readVersions(trackIds);
    underWay = versions;
    return versions;
  };
  return async (trackId) => {
    waiting.add(trackId);
    next ??= underWay.then(untilAllHaveAsked, untilAllHaveAsked).then(read);
    return (await next).get(trackId);
  };
}
