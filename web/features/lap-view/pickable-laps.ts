import type { LapId } from '#contract/ids.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { formatCarName, type TimePeriod } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { formatLapDate } from '#web/ui/format.ts';

/** A lap that can be chosen for a comparison. */
export type PickableLap = {
  lapId: LapId;
  /** The driver; 'Lap 9' for an own lap. */
  title: string;
  /** The rank on the board; null for an own lap. */
  rank: number | null;
  car: string;
  raceClass: string | null;
  sessionDate: string;
  lapTimeMs: number;
  /** Set for an own lap that does not count on the board. */
  uncounted: 'rejected' | 'simulated' | null;
};

/** The choices above the list; an empty text is no choice. */
export type PickerFilter = { text: string; raceClass: string; car: string; period: TimePeriod };

export const NO_FILTER: PickerFilter = { text: '', raceClass: '', car: '', period: 'all-time' };

/** Lists the laps of a board. */
export function listBoardLaps(records: readonly LapRecord[]): PickableLap[] {
  return records.map((record) => ({
    lapId: record.lapId,
    title: record.userName,
    rank: record.rank,
    car: formatCarName(record),
    raceClass: record.carRaceClass,
    sessionDate: record.sessionDate,
    lapTimeMs: record.lapTimeMs,
    uncounted: null,
  }));
}

/** Lists the complete laps of the viewer, the latest session first. */
export function listOwnLaps({ sessions }: Pick<DriverLaps, 'sessions'>): PickableLap[] {
  return sessions.flatMap(({ laps, carModel, carRaceClass, sessionDate }) =>
    laps
      .filter(({ status }) => status !== 'incomplete')
      .map(({ lapId, number, lapTimeMs, status }) => ({
        lapId,
        title: `Lap ${number}`,
        rank: null,
        car: carModel ?? '',
        raceClass: carRaceClass,
        sessionDate,
        lapTimeMs,
        uncounted: status === 'rejected' || status === 'simulated' ? status : null,
      })),
  );
}

const PERIOD_MONTHS = { '1-month': 1, '6-months': 6, '1-year': 12 } as const;

/** Filters laps; every word of the text has to be in the driver, the car, the class or the date as it is shown. */
export function filterLaps(
  laps: readonly PickableLap[],
  { text, raceClass, car, period }: PickerFilter,
  today: Date,
): PickableLap[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = new Date(today);
  if (period !== 'all-time') first.setUTCMonth(first.getUTCMonth() - PERIOD_MONTHS[period]);
  return laps.filter((lap) => {
    if (raceClass && lap.raceClass !== raceClass) return false;
    if (car && lap.car !== car) return false;
    if (period !== 'all-time' && new Date(lap.sessionDate) < first) return false;
    const searched = [lap.title, lap.car, lap.raceClass, formatLapDate(lap.sessionDate)]
      .join(' ')
      .toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** Lists the different values of laps in alphabetical order, for a choice. */
export function listValues(
  laps: readonly PickableLap[],
  read: (lap: PickableLap) => string | null,
): string[] {
  const values = new Set(laps.map(read).filter((value): value is string => Boolean(value)));
  return [...values].toSorted((a, b) => a.localeCompare(b, 'en'));
}
