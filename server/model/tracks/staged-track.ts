import { z } from 'zod';
import {
  type ApexTrap,
  apexTrapSchema,
  type ParsedApexTrack,
  parsedApexTrackSchema,
} from '#contract/library/schemas.ts';
import { type NewTrack, toNewTrack } from './library-track.ts';

/** The type of a trap at which laps begin and end. */
export const START_FINISH = 'start_finish';
const FINISH = 'finish';
/** The type of a trap at which a sector ends. */
export const SECTOR = 'sector';

export function isStartFinish({ type }: Pick<ApexTrap, 'type'>): boolean {
  return type === START_FINISH;
}

/** Where runs end on a way that does not lead back to its start. */
export function isFinish({ type }: Pick<ApexTrap, 'type'>): boolean {
  return type === FINISH;
}

/** An apex track as it is kept until it is migrated; `key` is the same for the same track in a later file. */
export const stagedTrackSchema = parsedApexTrackSchema.shape.track.extend({
  key: z.string(),
  name: z.string(),
  geofenceRadiusM: z.number().positive(),
  centerLat: z.number(),
  centerLon: z.number(),
  traps: z.array(apexTrapSchema),
});

export type StagedTrack = z.infer<typeof stagedTrackSchema>;

/** @throws where the track has problems */
export function toStagedTrack({ track, traps }: Pick<ParsedApexTrack, 'track' | 'traps'>): StagedTrack {
  const { name, configuration, city, country } = track;
  const key = [name, configuration, city, country]
    .map((part) => part ?? '')
    .join('\n')
    .toLowerCase();
  return stagedTrackSchema.parse({ ...track, key, traps });
}

/** The track as the library has it; null where it has other than exactly one start/finish trap. */
export function toMigratedTrack(staged: StagedTrack): NewTrack | null {
  const [startFinish, another] = staged.traps.filter(isStartFinish);
  if (!startFinish || another) return null;
  const { a, b, bearingDeg } = startFinish;
  const finish = staged.traps.find(isFinish);
  const sectors = staged.traps.filter(({ type }) => type === SECTOR);
  return toNewTrack({
    name: staged.name,
    configuration: staged.configuration,
    location: staged.city,
    country: staged.country,
    lengthMeters: staged.lengthMeters,
    status: 'official',
    radiusMeters: staged.geofenceRadiusM,
    centerLat: staged.centerLat,
    centerLon: staged.centerLon,
    startFinishLine: { a, b, bearingDeg },
    ...(finish && { finishLine: { a: finish.a, b: finish.b, bearingDeg: finish.bearingDeg } }),
    sectors: sectors.map(({ type: _type, name, ...line }, index) => ({
      ...line,
      name: name ?? `S${index + 1}`,
    })),
    outline: null,
  });
}
