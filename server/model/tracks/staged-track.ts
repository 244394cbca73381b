import { z } from 'zod';
import {
  type ApexTrap,
  apexTrapSchema,
  type ParsedApexTrack,
  parsedApexTrackSchema,
} from '#contract/library/schemas.ts';
import { type NewTrack, toNewTrack } from './library-track.ts';

export const START_FINISH = 'start_finish';
const FINISH = 'finish';
export const SECTOR = 'sector';

export function isStartFinish({ type }: Pick<ApexTrap, 'type'>): boolean {
  return type === START_FINISH;
}

/** Tells whether runs end at this trap. Only point-to-point tracks have one. */
export function isFinish({ type }: Pick<ApexTrap, 'type'>): boolean {
  return type === FINISH;
}

/** Describes an apex track that waits for its migration. `key` identifies the same track in a later file. */
export const stagedTrackSchema = parsedApexTrackSchema.shape.track.extend({
  key: z.string(),
  name: z.string(),
  geofenceRadiusM: z.number().positive(),
  centerLat: z.number(),
  centerLon: z.number(),
  traps: z.array(apexTrapSchema),
});

export type StagedTrack = z.infer<typeof stagedTrackSchema>;

/** @throws ZodError where the track has problems */
export function toStagedTrack({ track, traps }: Pick<ParsedApexTrack, 'track' | 'traps'>): StagedTrack {
  const { name, configuration, city, country } = track;
  const key = [name, configuration, city, country]
    .map((part) => part ?? '')
    .join('\n')
    .toLowerCase();
  return stagedTrackSchema.parse({ ...track, key, traps });
}

/** Converts an apex track to a track of the library; null unless it has exactly one start/finish trap. */
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
