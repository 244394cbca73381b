import type { RaceEventState } from '#contract/race-events/labels.ts';
import { pluralize } from '#web/ui/format.ts';

export type Step = {
  state: Exclude<RaceEventState, 'official'>;
  action: string;
  title: string;
  effect: string;
  needsReason?: true;
};

/** Returns the next step of an event, with what it does; null once it is official. */
export function findNextStep(state: RaceEventState, protestMinutes: number): Step | null {
  switch (state) {
    case 'draft':
      return {
        state: 'open',
        action: 'Open Entries',
        title: 'Open entries?',
        effect: 'Everybody sees the event, and drivers can enter.',
      };
    case 'open':
      return {
        state: 'running',
        action: 'Start Event',
        title: 'Start the event?',
        effect: 'Drivers cannot enter or withdraw any more. You can, and you type the runs.',
      };
    case 'running':
      return {
        state: 'provisional',
        action: 'Publish Results',
        title: 'Publish the results?',
        effect:
          protestMinutes === 0
            ? 'They become official at once. Official results never change.'
            : `They are provisional for ${pluralize(protestMinutes, 'minute')}, and official afterwards. Official results never change.`,
      };
    default:
      return null;
  }
}

/** Returns the step back of an event; null where there is none. A draft is possible only without entries. */
export function findStepBack(state: RaceEventState, entryCount: number): Step | null {
  if (state === 'open' && entryCount === 0)
    return {
      state: 'draft',
      action: 'Back to Draft',
      title: 'Back to a draft?',
      effect: 'Only those who run the club see the event.',
      needsReason: true,
    };
  if (state === 'running')
    return {
      state: 'open',
      action: 'Back to Open Entries',
      title: 'Back to open entries?',
      effect: 'Drivers can enter and withdraw again.',
      needsReason: true,
    };
  if (state === 'provisional')
    return {
      state: 'running',
      action: 'Back to Running',
      title: 'Back to the running event?',
      effect: 'The results are no longer provisional.',
      needsReason: true,
    };
  return null;
}
