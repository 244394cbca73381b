import type { UserId } from '#contract/ids.ts';
import type { DemoStatus } from '#contract/demo/schemas.ts';
import { beginDemo, findDemo } from '#server/model/demo/demo-store.ts';
import { listDrivers } from './demo-driver-store.ts';
import { DEMO_DRIVERS, DEMO_GUIDES } from './demo-drivers.ts';
import type { PrepareDeps } from './prepare-demo.ts';
import type { DemoPerson } from '#server/model/people/identity.ts';
import { removeDemo } from './remove-demo.ts';

/** The demo community as this server knows it. */
export type Demo = {
  status: () => Promise<DemoStatus>;
  /** The drivers as whom people on this computer may look around, once the community is whole. */
  listAccounts: () => Promise<DemoPerson[]>;
  /** See `removeDemo`; a preparation under way is stopped first. */
  remove: (administratorId: UserId | null) => Promise<{ drivers: number; sessions: number }>;
  /** Goes on preparing the community where it is not whole, in the background; says, in words for a person, how far it is. */
  prepare: (say: (line: string) => void) => void;
  /** Stops a preparation; the next start goes on with it. */
  stop: () => Promise<void>;
};

const NONE: DemoStatus = { state: 'none', driversDone: 0, drivers: 0 };
const DRIVERS = DEMO_DRIVERS.length;
const DRIVERS_PER_LINE = 10;

/**
 * Looks whether there is a demo community. Where `isWanted`, one begins in a database without laps; one that
 * was removed is not brought back.
 */
export async function openDemo(deps: PrepareDeps, isWanted: boolean): Promise<Demo> {
  const { db, storage, log } = deps;
  if (isWanted) await beginDemo(db, new Date());
  const first = await findDemo(db);
  const stopping = new AbortController();
  let driversDone: number | null = isWanted && first?.state === 'preparing' ? 0 : null;
  let preparing: Promise<void> = Promise.resolve();

  async function prepare(beganAt: Date, say: (line: string) => void): Promise<void> {
    const onProgress = (done: number, drivers: number): void => {
      driversDone = done;
      if (done % DRIVERS_PER_LINE === 0) say(`Preparing the demo community… ${done} of ${drivers} drivers`);
    };
    try {
      // Loaded where it is needed only: most starts have no use for it.
      const [{ prepareDemo }, { planSeason }] = await Promise.all([
        import('./prepare-demo.ts'),
        import('./season.ts'),
      ]);
      const isWhole = await prepareDemo(deps, {
        season: planSeason(beganAt),
        signal: stopping.signal,
        onProgress,
      });
      if (isWhole)
        say('The demo community is ready. An administrator can remove it, or `npm run demo -- remove`.');
    } catch (error) {
      log.error({ err: error }, 'The demo community could not be prepared; the next start tries again');
    }
    driversDone = null;
  }

  return {
    status: async () => {
      // There never was one, and only a start makes one: no page has to wait for a look.
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
      return await removeDemo({ db, storage }, administratorId);
    },
    prepare: (say) => {
      if (first && driversDone !== null) preparing = prepare(first.beganAt, say);
    },
    stop: async () => {
      stopping.abort();
      await preparing;
    },
  };
}
