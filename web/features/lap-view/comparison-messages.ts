// Every sentence about where time is lost. The figures come from the server, which names only differences that are certain.

/**
 * A corner where a lap loses time against the reference, with the differences there; a figure is null if its difference
 * is not certain.
 */
export type CornerLoss = {
  cornerNumber: number;
  lostMs: number;
  brakingEarlierMeters: number | null;
  apexSlowerKmh: number | null;
  exitSlowerKmh: number | null;
};

/** Returns the name of a corner, or its number if it has no name. */
export function cornerTitle(number: number, name: string | null): string {
  return name ?? `Turn ${number}`;
}

/** Formats a time loss to the hundredth: '0.21 s'. */
export function formatLost(lostMs: number): string {
  return `${(lostMs / 1000).toFixed(2)} s`;
}

/**
 * Describes how a driver differs from the reference in a corner: 'You brake 14 m earlier and are 6 km/h slower at the
 * slowest point.'
 */
export function describeCornerLoss(place: CornerLoss, driver: string, isOwn: boolean): string {
  const [subject, brake, are] = isOwn ? ['You', 'brake', 'are'] : [driver, 'brakes', 'is'];
  const braking = difference(place.brakingEarlierMeters, 'm', ['earlier', 'later']);
  const speeds = [
    difference(place.apexSlowerKmh, 'km/h', ['slower at the slowest point', 'faster at the slowest point']),
    difference(place.exitSlowerKmh, 'km/h', ['slower at the exit', 'faster at the exit']),
  ].filter((speed) => speed !== null);
  const verbs = [
    ...(braking === null ? [] : [`${brake} ${braking}`]),
    ...(speeds.length === 0 ? [] : [`${are} ${speeds.join(' and ')}`]),
  ];
  if (verbs.length === 0)
    return 'The time goes over the whole stretch: no single difference in braking or speed is certain.';
  return `${subject} ${verbs.join(' and ')}.`;
}

/** The message if a lap loses no certain time in any corner. */
export const NO_CERTAIN_LOSS = 'No corner costs a time that is certain.';

/**
 * Describes the constant offset between the receivers of two recordings, which the gap leaves out; null if it is too
 * small to mention.
 */
export function describeOffset({ east, north }: { east: number; north: number }): string | null {
  const meters = Math.hypot(east, north);
  return meters < 0.05 ? null : `Receivers were ${meters.toFixed(1)} m apart; corrected.`;
}

/**
 * Compares a braking point with that of the reference: '14 m earlier', 'the same', or a dash if one of them does not
 * brake.
 */
export function describeBraking(meters: number | null, referenceMeters: number | null): string {
  if (meters === null || referenceMeters === null) return '—';
  return difference(referenceMeters - meters, 'm', ['earlier', 'later']) ?? 'the same';
}

/** Returns null without a difference, or with less than half a unit. */
function difference(amount: number | null, unit: string, [more, less]: [string, string]): string | null {
  const rounded = Math.round(Math.abs(amount ?? 0));
  if (amount === null || rounded === 0) return null;
  return `${rounded} ${unit} ${amount > 0 ? more : less}`;
}
