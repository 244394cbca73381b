import { z } from 'zod';
import { proposedName } from '#contract/cars/schemas.ts';
import { endpoint } from '#contract/endpoint.ts';
import { courseIdSchema } from '#contract/ids.ts';
import { timedLapSchema } from '#contract/laps/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { lapFilesWithTrack } from './lap-files-with-track.ts';
import {
  outlineSchema,
  sectorLineSchema,
  timingLineSchema,
  trackOriginSchema,
  trackSchema,
} from './schemas.ts';

/** A course that a file was driven on: a drawn layout without a start line, with the line that the drive proposes. */
export const courseSuggestionSchema = trackSchema
  .pick({ name: true, configuration: true, location: true, country: true, lengthMeters: true })
  .extend({
    courseId: courseIdSchema,
    origin: trackOriginSchema,
    confidencePct: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'In the measure of the suggested tracks.', examples: [96] }),
    isReversed: z.boolean().meta({ description: 'Driven against the order of the drawing.' }),
    lineSource: z.enum(['file', 'logger_laps', 'drive']).meta({
      description: 'Whether the file names the line, its laps begin there, or the drive shows a safe place.',
    }),
    startFinishLine: timingLineSchema.meta({ description: 'Proposed, in the direction of the drive.' }),
    outline: outlineSchema,
    lapCount: z.int().nonnegative(),
    bestLapTimeMs: z.int().nullable(),
    laps: z.array(timedLapSchema).meta({ description: 'Timed on the proposed line; none is stored.' }),
  });

export type CourseSuggestion = z.infer<typeof courseSuggestionSchema>;

const confirmedCourseSchema = z.object({
  startFinishLine: timingLineSchema,
  sectors: z
    .array(sectorLineSchema.extend({ name: proposedName }))
    .max(LIMITS.proposedSectorsMax)
    .optional()
    .meta({ description: 'Absent ones are suggested: thirds of the lap.' }),
  name: proposedName.optional().meta({ description: 'Absent names are those of the course.' }),
  configuration: proposedName.nullable().optional(),
  location: proposedName.optional(),
  country: proposedName.optional(),
});

export type ConfirmedCourse = z.output<typeof confirmedCourseSchema>;

export const courseEndpoints = {
  confirmCourse: endpoint({
    method: 'POST',
    path: '/api/courses/:courseId/track',
    access: 'signed_in',
    limit: 20,
    audit: 'confirm-course',
    summary:
      'Makes a track of a course: with its names, outline and origin, and the start line that a driver confirms. A lap of the files shows the line and the direction.',
    params: z.object({ courseId: courseIdSchema }),
    multipart: lapFilesWithTrack(
      confirmedCourseSchema,
      'JSON with the line, and names that differ from those of the course.',
    ),
    response: trackSchema,
    errors: {
      not_found: 'There is no such course, or the file of the token is kept no longer.',
      conflict: 'The library has this track already.',
      too_many_requests: 'Too many new tracks today.',
    },
  }),
};
