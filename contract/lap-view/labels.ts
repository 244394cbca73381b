import { formatDate, formatDateAndTime, type Formats } from '#contract/formats/labels.ts';

/** The properties of a lap that its name follows from. */
export type NamedLap = {
  driverId: string;
  userName: string;
  lapTimeMs: number;
  number: number;
  sessionId: string;
  sessionDate: string;
};

export type LapNaming = {
  /** The driver of all the laps, which is said once; null where the laps are of several drivers. */
  driver: string | null;
  /** One name for each lap, no two of them equal. */
  names: string[];
  /** Tells which lap is 'You', by its index; null where none is. A driver may have that name, too. */
  ownIndex: number | null;
};

/**
 * Names laps so that they are distinguished: by driver, and laps of one driver as 'Lap 9', with the date where the sessions
 * differ. The viewer's lap is 'You', unless another one is theirs, too; a title or a shared link has no viewer.
 */
export function nameLaps<Lap extends NamedLap>(
  laps: readonly Lap[],
  formats: Formats,
  isOwn: (lap: Lap) => boolean = () => false,
): LapNaming {
  const [first] = laps;
  const isOfOne = laps.length > 1 && laps.every(({ driverId }) => driverId === first?.driverId);
  const own = laps.filter(isOwn);
  const ownIndex = own[0] && own.length === 1 ? laps.indexOf(own[0]) : null;
  const names = laps.map((lap, index) => {
    if (index === ownIndex) return 'You';
    const rivals = laps.filter(({ userName }) => userName === lap.userName);
    if (rivals.length === 1) return lap.userName;
    const number = nameByNumber(lap, rivals, formats);
    return isOfOne ? number : `${lap.userName}, ${number.replace('Lap', 'lap')}`;
  });
  return { driver: isOfOne ? (first?.userName ?? null) : null, names, ownIndex };
}

/** Names a lap among those of the same driver by its number, and by as much of its date as makes the names differ. */
function nameByNumber(lap: NamedLap, rivals: readonly NamedLap[], formats: Formats): string {
  const isOneSession = rivals.every(({ sessionId }) => sessionId === lap.sessionId);
  if (isOneSession) return `Lap ${lap.number}`;
  const describeByTime = (one: NamedLap) =>
    `${describeByMoment(one, formats)}, ${(one.lapTimeMs / 1000).toFixed(3)} s`;
  const forms = [
    (one: NamedLap) => `Lap ${one.number}, ${formatDate(formats, one.sessionDate)}`,
    (one: NamedLap) => describeByMoment(one, formats),
    describeByTime,
  ];
  const form = forms.find((describe) => new Set(rivals.map(describe)).size === rivals.length);
  return (form ?? describeByTime)(lap);
}

function describeByMoment({ number, sessionDate }: NamedLap, formats: Formats): string {
  return `Lap ${number}, ${formatDateAndTime(formats, sessionDate)}`;
}

/**
 * Returns the title of the page of laps, which names each of them: 'Ana Lima 0:52.345 vs Ben Okafor 0:52.900'; for one lap
 * '0:52.345 by Ana Lima'.
 */
export function describeLapsInTitle(
  laps: readonly NamedLap[],
  formats: Formats,
  formatLapTime: (lapTimeMs: number) => string,
): string {
  const [first] = laps;
  if (first && laps.length === 1) return `${formatLapTime(first.lapTimeMs)} by ${first.userName}`;
  const { driver, names } = nameLaps(laps, formats);
  const timed = laps.map(({ lapTimeMs }, index) => `${names[index] ?? ''} ${formatLapTime(lapTimeMs)}`);
  return `${driver === null ? '' : `${driver}: `}${timed.join(' vs ')}`;
}
