import type { BadgeTone } from '#web/ui/badge.tsx';
import { formatLapDate, formatMoment } from '#web/ui/format.ts';
import { RACE_EVENT_STATE_LABELS, type RaceEventState } from '#contract/race-events/labels.ts';
import type { ListedRaceEvent } from '#contract/race-events/schemas.ts';

/** Formats the days of an event: one day, or the first and the last. */
export function formatDays({ firstDay, lastDay }: Pick<ListedRaceEvent, 'firstDay' | 'lastDay'>): string {
  const first = formatLapDate(firstDay);
  return firstDay === lastDay ? first : `${first} to ${formatLapDate(lastDay)}`;
}

/** Lists of events are fetched again after this time: states change while a page is open. */
export const LIST_STALE_MS = 60_000;

export const STATE_TONES: Record<RaceEventState, BadgeTone> = {
  draft: 'neutral',
  open: 'accent',
  running: 'pb',
  provisional: 'warn',
  official: 'outline',
};

/** Describes the state of an event in words: 'Provisional until 11/28/26 17:30 UTC'. */
export function describeState({
  state,
  provisionalUntil,
}: Pick<ListedRaceEvent, 'state' | 'provisionalUntil'>): string {
  const words = RACE_EVENT_STATE_LABELS[state];
  return state === 'provisional' && provisionalUntil !== null
    ? `${words} until ${formatMoment(provisionalUntil)}`
    : words;
}
