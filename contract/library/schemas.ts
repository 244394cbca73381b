import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';
import { carModelSchema } from '#contract/cars/schemas.ts';
import { endpoint } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { sectorLineSchema, timingLineSchema, trackSchema } from '#contract/tracks/schemas.ts';

/** The problems of a row: a sentence by the name of the field. */
const problemsSchema = z.record(z.string(), z.string());

/** The number of the row in the file or the request, from 1. */
const rowSchema = z.int().positive();

const sentences = z.array(z.string());

/** A track of a file, before it is created: null where the file lacks a field; problems are to be corrected first. */
export const parsedTrackSchema = trackSchema
  .pick({
    configuration: true,
    lengthMeters: true,
    status: true,
    startFinishLine: true,
    finishLine: true,
    outline: true,
    origin: true,
  })
  .extend({
    row: rowSchema,
    name: z.string().nullable(),
    location: z.string().nullable(),
    country: z.string().nullable(),
    radiusMeters: z.number().positive().nullable(),
    centerLat: z.number().nullable(),
    centerLon: z.number().nullable(),
    sectors: z.array(sectorLineSchema),
    problems: problemsSchema,
    /** Sentences about data that was left out or derived. */
    warnings: sentences,
  });

export type ParsedTrack = z.infer<typeof parsedTrackSchema>;

export const UPDATABLE_FIELDS = [
  'name',
  'configuration',
  'location',
  'country',
  'lengthMeters',
  'radiusMeters',
  'centerLat',
  'centerLon',
  'startFinishLine',
  'finishLine',
  'sectors',
  'outline',
] as const;

export type UpdatableField = (typeof UPDATABLE_FIELDS)[number];

const trackDifferenceSchema = z.object({
  field: z.enum(UPDATABLE_FIELDS),
  /** The value as text for people; null if the library has none. */
  before: z.string().nullable(),
  after: z.string(),
});

export type TrackDifference = z.infer<typeof trackDifferenceSchema>;

const createdTrackSchema = z.object({
  row: rowSchema,
  /**
   * `exists`: the library has a track of this name and configuration within two kilometres, and `differences` lists the
   * fields that differ. `updated`: the fields that the row names in `update` are now as in the row.
   */
  status: z.enum(['success', 'exists', 'updated', 'error']),
  name: z.string().nullable(),
  configuration: z.string().nullable(),
  location: z.string().nullable(),
  country: z.string().nullable(),
  message: z.string(),
  /** The track that was created or already exists. */
  trackId: trackIdSchema.optional(),
  differences: z.array(trackDifferenceSchema).optional(),
});

export type CreatedTrack = z.infer<typeof createdTrackSchema>;

/** A timing line of an apex track: `start_finish`, `sector`, or another type that the file names. */
export const apexTrapSchema = timingLineSchema.extend({ type: z.string(), name: z.string().nullable() });

export type ApexTrap = z.infer<typeof apexTrapSchema>;

export const parsedApexTrackSchema = z.object({
  row: rowSchema,
  track: z.object({
    name: z.string().nullable(),
    configuration: z.string().nullable(),
    city: z.string().nullable(),
    country: z.string().nullable(),
    geofenceRadiusM: z.number().positive().nullable(),
    lengthMeters: z.number().positive().nullable(),
    centerLat: z.number().nullable(),
    centerLon: z.number().nullable(),
  }),
  /** The traps in the order of the file; invalid lines are left out with a warning. */
  traps: z.array(apexTrapSchema),
  problems: problemsSchema,
  warnings: sentences,
});

export type ParsedApexTrack = z.infer<typeof parsedApexTrackSchema>;

const carProblemSchema = z.object({
  /** The line of the file, with the header as line 1; in an import the row, from 1. */
  line: z.int().positive(),
  field: z.string().nullable(),
  message: z.string(),
});

export type CarProblem = z.infer<typeof carProblemSchema>;

const newCarSchema = carModelSchema.omit({ id: true, status: true });

export type NewCar = z.infer<typeof newCarSchema>;

const carPreviewSchema = z.object({
  /** `total` is the sum of `new`, `existing` and `withProblems`. */
  summary: z.object({ total: z.int(), new: z.int(), existing: z.int(), withProblems: z.int() }),
  newCars: z.array(newCarSchema),
  problems: z.array(carProblemSchema),
});

export type CarPreview = z.infer<typeof carPreviewSchema>;

const importedTrackSetSchema = z.object({
  added: z.int().meta({ examples: [4_950] }),
  known: z.int().meta({ description: 'Courses that the library had already.', examples: [51] }),
  duplicates: z.int().meta({ description: 'Courses that the set has more than once.', examples: [206] }),
  leftOut: z.array(z.object({ file: z.string(), reason: z.string() })),
});

export type ImportedTrackSet = z.infer<typeof importedTrackSetSchema>;

const importProgressSchema = z.object({
  step: z.enum(['reading', 'comparing', 'adding']),
  /** The number of files read or tracks added; the comparison of tracks has no count. */
  done: z.int(),
  total: z.int(),
});

export type ImportProgress = z.infer<typeof importProgressSchema>;

const oneFile = {
  fileField: 'file',
  maxFiles: 1,
  fileBytesMax: LIMITS.libraryFileBytesMax,
  fields: z.object({}),
};

/** Each row is validated separately, so that an invalid row does not stop the others. */
const rowsSchema = (described: string, max: number) =>
  z.array(z.unknown()).max(max, `At most ${max} can be sent at once.`).describe(described);

export const adminEndpoints = {
  parseTracks: endpoint({
    method: 'POST',
    path: '/api/admin/parse-tracks',
    access: 'admin',
    summary: 'Reads a file of tracks and gives the problems of each by field; nothing is stored.',
    multipart: oneFile,
    response: z.array(parsedTrackSchema),
  }),
  createTracks: endpoint({
    method: 'POST',
    path: '/api/admin/create-tracks',
    access: 'admin',
    audit: ['create-tracks', 'correct-track'],
    summary:
      'Adds tracks to the library, and updates the chosen fields of existing ones; returns a result per track, in their order.',
    body: z.object({
      tracks: rowsSchema(
        'Tracks as POST /api/admin/parse-tracks answers them; `update` lists the fields of a known track that become as here.',
        LIMITS.tracksMax,
      ),
    }),
    response: z.array(createdTrackSchema),
  }),
  importTrackSet: endpoint({
    method: 'POST',
    path: '/api/admin/import-track-set',
    access: 'admin',
    audit: 'create-tracks',
    summary:
      'Adds the missing tracks of a set to the library: a ZIP archive of track files, or a single file. Thousands of tracks take up to a minute.',
    multipart: oneFile,
    response: importedTrackSetSchema,
    errors: { conflict: 'The library would hold too many tracks.' },
  }),
  importProgress: endpoint({
    method: 'GET',
    path: '/api/admin/import-track-set',
    access: 'admin',
    summary:
      'How far the import of a set of tracks has come that the caller has sent; null where none is running, or on another copy of the server.',
    response: z.object({ progress: importProgressSchema.nullable() }),
  }),
  parseApex: endpoint({
    method: 'POST',
    path: '/api/apex/parse',
    access: 'admin',
    summary: 'Reads a file of tracks with their traps; nothing is stored.',
    multipart: oneFile,
    response: z.object({ tracks: z.array(parsedApexTrackSchema) }),
  }),
  importApex: endpoint({
    method: 'POST',
    path: '/api/apex/import',
    access: 'admin',
    audit: 'import-apex-tracks',
    summary:
      'Stores apex tracks separately from the library until they are migrated, and replaces the ones that are already stored.',
    body: z.object({ tracks: rowsSchema('Tracks as POST /api/apex/parse answers them.', LIMITS.tracksMax) }),
    response: z.object({
      /** The warnings are both in the summary and next to it, as in the answer to a migration. */
      summary: z.object({ tracksUpserted: z.int(), trapsUpserted: z.int(), warnings: sentences }),
      warnings: sentences,
    }),
  }),
  migrateApex: endpoint({
    method: 'POST',
    path: '/api/apex/migrate-to-main',
    access: 'admin',
    audit: 'migrate-apex-tracks',
    summary:
      'Copies the apex tracks with exactly one start/finish trap to the library, unless it has them already.',
    response: z.object({
      success: z.boolean(),
      /** `skipped` tracks have no start/finish trap, or several. */
      summary: z.object({ migrated: z.int(), existing: z.int(), skipped: z.int() }),
      warnings: sentences,
      error: z.string().optional(),
    }),
  }),
  previewCars: endpoint({
    method: 'POST',
    path: '/api/admin/car-library/upload-preview',
    access: 'admin',
    summary: 'Reads a CSV file of cars and says which of them are new; nothing is stored.',
    multipart: oneFile,
    response: carPreviewSchema,
  }),
  importCars: endpoint({
    method: 'POST',
    path: '/api/admin/car-library/import',
    access: 'admin',
    audit: 'import-cars',
    summary: 'Adds cars to the library; existing cars stay the same.',
    body: z.object({
      cars: rowsSchema(
        'Cars as POST /api/admin/car-library/upload-preview answers them.',
        LIMITS.importedCarsMax,
      ),
    }),
    response: z.object({
      imported: z.int(),
      existing: z.int(),
      /** `line` is the row of the request, from 1. */
      problems: z.array(carProblemSchema),
    }),
  }),
};
