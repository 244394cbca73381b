import type { UserId } from '#contract/ids.ts';
import type { DemoStatus } from '#contract/demo/schemas.ts';
import { beginDemo, findDemo } from '#server/model/demo/demo-store.ts';
import { listDrivers } from './demo-driver-store.ts';
import { DEMO_DRIVERS, DEMO_GUIDES } from './demo-drivers.ts';
import type { Preparation, PrepareDeps } from './prepare-demo.ts';
import type { DemoPerson } from '#server/model/people/identity.ts';
import { deleteDemo } from './delete-demo.ts';

export type Demo = {
  status: () => Promise<DemoStatus>;
  /** Lists the drivers as whom users on this computer may sign in, once the community is complete. */
  listAccounts: () => Promise<DemoPerson[]>;
  /** Stops a preparation in progress, then calls `deleteDemo`. */
  remove: (administratorId: UserId | null) => Promise<{ drivers: number; sessions: number }>;
  /** Continues an incomplete community in the background, and prints its progress in sentences. */
  prepare: (print: (line: string) => void) => void;
  /** Stops a preparation; the next start continues it. */
  stop: () => Promise<void>;
};

const NONE: DemoStatus = { state: 'none', driversDone: 0, drivers: 0 };
const DRIVERS = DEMO_DRIVERS.length;
const DRIVERS_PER_LINE = 10;

/** Finds the demo community. Where `isWanted`, one begins in a database without laps; a removed one is not made again. */
export async function openDemo(deps: PrepareDeps, isWanted: boolean): Promise<Demo> {
  const { db, storage, log } = deps;
  if (isWanted) await beginDemo(db, new Date());
  const first = await findDemo(db);
  const stopping = new AbortController();
  let driversDone: number | null = isWanted && first?.state === 'preparing' ? 0 : null;
  let preparing: Promise<void> = Promise.resolve();

  async function prepare(beganAt: Date, print: (line: string) => void): Promise<void> {
    const onProgress = (done: number, drivers: number): void => {
      driversDone = done;
      if (done % DRIVERS_PER_LINE === 0) print(`Preparing the demo community… ${done} of ${drivers} drivers`);
    };
    try {
      if (await driveSeason(deps, beganAt, { signal: stopping.signal, onProgress }))
        print('The demo community is ready. An administrator can remove it, or `npm run demo -- remove`.');
    } catch (error) {
      log.error({ err: error }, 'The demo community could not be prepared; the next start tries again');
    }
    driversDone = null;
  }

  return {
    status: async () => {
      // Only a start makes a community, so a server without one never has to query again.
      if (first === undefined) return NONE;
      const row = await findDemo(db);
      if (row === undefined || row.state === 'removed') return NONE;
      return driversDone === null
        ? { state: 'ready', driversDone: DRIVERS, drivers: DRIVERS }
        : { state: 'preparing', driversDone, drivers: DRIVERS };
    },
    listAccounts: async () =>
      first !== undefined && (await findDemo(db))?.state === 'ready'
        ? await listDrivers(db, DEMO_GUIDES)
        : [],
    remove: async (administratorId) => {
      stopping.abort();
      await preparing;
      return await deleteDemo({ db, storage }, administratorId);
    },
    prepare: (print) => {
      if (first && driversDone !== null) preparing = prepare(first.beganAt, print);
    },
    stop: async () => {
      stopping.abort();
      await preparing;
    },
  };
}

/** Loads the modules of the season when they are needed: most starts do not use them. */
async function driveSeason(
  deps: PrepareDeps,
  beganAt: Date,
  options: Omit<Preparation, 'season'>,
): Promise<boolean> {
  const [{ prepareDemo }, { planSeason }] = await Promise.all([
    import('./prepare-demo.ts'),
    import('./season.ts'),
  ]);
  return await prepareDemo(deps, { season: planSeason(beganAt), ...options });
}
