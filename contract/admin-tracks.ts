import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { outlineSchema, sectorLineSchema, timingLineSchema, trackIdSchema, trackSchema } from './tracks.ts';

const name = z.string().trim().min(1).max(LIMITS.nameCharactersMax);

/** What an administrator may change of a track; what is not given stays as it is. */
const trackCorrectionSchema = z.object({
  name: name.optional(),
  location: name.nullable().optional(),
  configuration: name.nullable().optional(),
  country: name.nullable().optional(),
  status: trackSchema.shape.status.optional(),
  lengthMeters: z.number().min(50).max(200_000).nullable().optional(),
  radiusMeters: z.number().min(10).max(50_000).optional(),
  centerLat: z.number().min(-90).max(90).optional(),
  centerLon: z.number().min(-180).max(180).optional(),
  startFinishLine: timingLineSchema.nullable().optional(),
  finishLine: timingLineSchema.nullable().optional(),
  sectors: z.array(sectorLineSchema).max(LIMITS.sectorsMax).optional(),
  outline: outlineSchema.min(3).max(LIMITS.outlinePointsMax).nullable().optional(),
});

export type TrackCorrection = z.infer<typeof trackCorrectionSchema>;

export const auditEntrySchema = z.object({
  id: z.uuid(),
  /** ISO 8601, UTC. */
  at: z.string(),
  action: z.string(),
  /** Who did it; null for somebody at the server's terminal. */
  userId: z.uuid().nullable(),
  /** Null where the account is gone too. */
  userName: z.string().nullable(),
  /** The id of the track, the user or the session that it was done to; null where it was many. */
  subject: z.string().nullable(),
  /** How many rows came to what; of a correction, the fields that changed. */
  counts: z.record(z.string(), z.number()),
  /** Before and after, by the name of the field, where that is worth knowing. */
  changes: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])).nullable(),
});

export type AuditLogEntry = z.infer<typeof auditEntrySchema>;

const AUDIT_PAGE_ENTRIES = 50;

export const trackAdministrationEndpoints = {
  correctTrack: endpoint({
    method: 'PATCH',
    path: '/api/admin/tracks/:trackId',
    access: 'admin',
    summary:
      'Changes what is given of a track. Where that changes how laps are timed, its laps are timed again in the background.',
    params: z.object({ trackId: trackIdSchema }),
    body: trackCorrectionSchema,
    response: z.object({
      track: trackSchema,
      /** Sessions that are being timed again. */
      sessionsToRetime: z.int(),
    }),
    errors: {
      not_found: 'There is no such track.',
      conflict: 'Another track within two kilometres has this name and configuration.',
    },
  }),
  removeTrack: endpoint({
    method: 'DELETE',
    path: '/api/admin/tracks/:trackId',
    access: 'admin',
    summary: 'Deletes a track without laps.',
    params: z.object({ trackId: trackIdSchema }),
    response: z.object({ removed: z.literal(true) }),
    errors: { not_found: 'There is no such track.', conflict: 'The track has laps.' },
  }),
  auditLog: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log',
    access: 'admin',
    summary: 'What administrators did, latest first.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(LIMITS.boardPageEntriesMax).default(AUDIT_PAGE_ENTRIES),
      offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    }),
    response: z.object({ entries: z.array(auditEntrySchema), total: z.int() }),
  }),
};
