import { test as base } from './test.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

type Fixtures = {
  /** The stand-in server as at its start, for a guest. */
  standIn: StandIn;
  /** The same with its driver signed in. */
  signedIn: StandIn;
};

/** Tests against the stand-in server, of which one serves them all. */
export const test = base.extend<Fixtures, { sharedStandIn: StandIn }>({
  sharedStandIn: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures this one needs: none.
    async ({}, use) => {
      const standIn = await startStandIn();
      await use(standIn);
      await standIn.stop();
    },
    { scope: 'worker' },
  ],
  standIn: async ({ sharedStandIn }, use) => {
    sharedStandIn.reset();
    await use(sharedStandIn);
  },
  signedIn: async ({ standIn }, use) => {
    standIn.world.user = standIn.world.visitor;
    await use(standIn);
  },
});
