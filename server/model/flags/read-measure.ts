import { z } from 'zod';
import type { AnyFlagReason } from '#contract/moderation/labels.ts';
import type { Measure } from '#contract/moderation/schemas.ts';
import { COPY_RESIDUAL_METERS } from '#engine/plausibility/copied-lap.ts';
import { DEVICE_SHARE, JUMP_SHARE, RECORD_SHARE, SAME_CAR_SHARE } from './automatic-rules.ts';

/** Holds the stored figures of an automatic check, by name. */
export const figuresSchema = z.record(z.string(), z.unknown()).nullable();

type Names = { quantity: Measure['quantity']; found: string; limit: string | number };

const paceBelow = (share: number): Names => ({
  quantity: 'pace',
  found: 'sharePct',
  limit: 100 * (1 - share),
});

const NAMES: Partial<Record<AnyFlagReason, Names>> = {
  power: { quantity: 'power', found: 'foundWattsPerKilogram', limit: 'limitWattsPerKilogram' },
  top_speed: { quantity: 'speed', found: 'foundKmh', limit: 'limitKmh' },
  same_car: paceBelow(SAME_CAR_SHARE),
  jump: paceBelow(JUMP_SHARE),
  record: paceBelow(RECORD_SHARE),
  device: paceBelow(DEVICE_SHARE),
  copy: { quantity: 'likeness', found: 'residualMeters', limit: COPY_RESIDUAL_METERS },
};

/** Reads what an automatic check found, and its limit; null where the reason has no such figure. */
export function readMeasure(reason: AnyFlagReason, figures: z.infer<typeof figuresSchema>): Measure | null {
  // Both rules on accelerations have one reason; that on corners also knows what others reach.
  const acceleration = {
    quantity: 'othersG' in (figures ?? {}) ? ('cornering' as const) : ('braking' as const),
    found: 'foundG',
    limit: 'limitG',
  };
  const names = reason === 'acceleration' ? acceleration : NAMES[reason];
  if (!names) return null;
  const { quantity } = names;
  const found = figures?.[names.found];
  const limit = typeof names.limit === 'number' ? names.limit : figures?.[names.limit];
  return typeof found === 'number' && typeof limit === 'number' ? { quantity, found, limit } : null;
}
