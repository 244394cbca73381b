import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { nameCornersEndpoint } from '#contract/lap-view/corner-names.ts';
import type { CornerName } from '#engine/comparison/name-corners.ts';
import { distanceMeters } from '#engine/geo.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { listCornerNames, storeCornerNames } from '#server/model/tracks/corner-name-store.ts';

export function serveCornerNames(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, nameCornersEndpoint, async ({ params: { trackId }, body: { corners }, audit }) => {
    await db.transaction(async (tx) => {
      const track = found(await findTrack(tx, trackId), nameCornersEndpoint);
      const center = { lat: track.centerLat, lon: track.centerLon };
      const elsewhere = corners.findIndex((corner) => distanceMeters(center, corner) > track.radiusMeters);
      if (elsewhere >= 0) {
        throw new AppError('invalid_input', ELSEWHERE, { fields: { [`corners.${elsewhere}`]: ELSEWHERE } });
      }
      const before = await listCornerNames(tx, trackId);
      if (JSON.stringify(before) === JSON.stringify(corners)) return;
      await storeCornerNames(tx, trackId, corners);
      await audit(tx, {
        subject: trackId,
        counts: { named: corners.length },
        changes: { corners: [joinNames(before), joinNames(corners)] },
      });
    });
    return { corners };
  });
}

const ELSEWHERE = 'This corner is not at the track.';

function joinNames(corners: readonly CornerName[]): string | null {
  return corners.map(({ name }) => name).join(', ') || null;
}
