import type { DemoStatus } from './demo.ts';

/** The id of the bar that the server draws below every page of a demo community. */
export const DEMO_BAR_ID = 'demo-bar';

/** What the bar says; null where everybody is real. The server draws it, and the browser goes on with it. */
export function describeDemo({ state, driversDone, drivers }: DemoStatus): string | null {
  if (state === 'none') return null;
  return state === 'preparing'
    ? `Preparing the demo community… ${driversDone} of ${drivers} drivers`
    : 'You are looking at a demo community: invented drivers, simulated laps.';
}
