import { z } from 'zod';
import { lapIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import type { LapProof } from '#engine/proof/lap-proof.ts';
import { endpoint } from '#contract/endpoint.ts';
import { timedLapSchema } from '#contract/laps/schemas.ts';
import { signatureSchema } from '#contract/signature.ts';
import { nullableNumber } from '#contract/values.ts';
import { LINE_ERRORS, lapParams } from './schemas.ts';
import { sectorLineSchema, timingLineSchema } from '#contract/tracks/schemas.ts';

// The lists are limited, so that the server refuses an oversized bundle cheaply: a day at 25 Hz is no lap.
const FIXES_MAX = 500_000;

const numbers = (description: string, example: number[]) =>
  z
    .array(z.number())
    .max(FIXES_MAX)
    .meta({ description, examples: [example] });

const isForward = z.boolean().meta({ description: "Whether the car passed it in the line's own direction." });

/** The engine's `LapProof`: all data that determine the time of a lap. */
const measurementSchema = z
  .strictObject({
    timesMs: numbers('Of each fix, in milliseconds, on the clock of the lap file.', [1_749_218_591_040]),
    lats: numbers('Degrees north, WGS 84.', [51.17771]),
    lons: numbers('Degrees east, WGS 84.', [1.1989]),
    speedsMetersPerSecond: z
      .array(nullableNumber)
      .max(FIXES_MAX)
      .meta({
        description: 'Metres per second, by the receiver; null where it gave none.',
        examples: [[42.1]],
      }),
    partStarts: z
      .array(z.int().nonnegative())
      .max(FIXES_MAX)
      .meta({ description: 'Index of the first fix of every unbroken part.', examples: [[0]] }),
    intervalMs: nullableNumber.meta({
      description: 'Milliseconds between two fixes, the median of the file.',
      examples: [40],
    }),
    receiverIntervalMs: nullableNumber.meta({
      description:
        "Milliseconds between the receiver's own fixes, where the file has interpolated ones in between.",
    }),
    timestampStepMs: z
      .number()
      .meta({ description: 'Milliseconds that time stamps are cut to multiples of; 0: they are not.' }),
    noise: z.strictObject({
      whiteMeters: z.number().meta({
        description: 'Standard deviation of the independent error of each fix, in metres.',
        examples: [0.03],
      }),
      driftMeters: z
        .number()
        .meta({ description: 'Standard deviation of slow errors, in metres.', examples: [0.4] }),
    }),
    speeds: z
      .strictObject({
        scale: z.number().meta({ examples: [1.002] }),
        delaySeconds: z.number().meta({ examples: [0.02] }),
        residualMeters: z.number().meta({ description: 'In metres.', examples: [0.03] }),
      })
      .nullable()
      .meta({
        description:
          'How the speeds relate to the positions of the whole file; null where they are not used.',
      }),
    accuracy: z
      .strictObject({
        usualMeters: z.number(),
        timesMs: numbers('Milliseconds, on the clock of the lap file.', [1_749_218_591_040]),
        meters: numbers('Metres.', [0.8]),
      })
      .nullable()
      .meta({ description: 'The accuracy that the receiver reports for its positions near both crossings.' }),
    startLine: timingLineSchema.strict().extend({ isForward }),
    finishLine: timingLineSchema
      .strict()
      .extend({ isForward })
      .nullable()
      .meta({ description: 'Where laps end elsewhere than they begin.' }),
    sectorLines: z.array(sectorLineSchema.strict().extend({ isForward })),
  })
  .refine(
    ({ timesMs, lats, lons, speedsMetersPerSecond }) =>
      [lats, lons, speedsMetersPerSecond].every(({ length }) => length === timesMs.length),
    'All columns of fixes must be equally long.',
  ) satisfies z.ZodType<LapProof>;

/**
 * The data with which anyone can verify a lap time: the inputs, the result, and the signature of the server for both. The
 * first version, which servers made before 0.3, names the driver without an id.
 */
const firstProofBundleSchema = z.strictObject({
  kind: z.literal('pitboard-lap-proof-1'),
  site: z
    .string()
    .meta({ description: 'The server that signed it.', examples: ['https://laps.example.org'] }),
  trackId: trackIdSchema,
  trackName: z.string().meta({ examples: ['Lydden Hill'] }),
  lapId: lapIdSchema,
  userName: z.string().meta({ examples: ['Ana Lima'] }),
  engineVersion: z.string().meta({ description: 'Of the engine that made and timed it.', examples: ['15'] }),
  lapFile: z.strictObject({
    sha256: z.string().meta({ description: 'SHA-256 of the lap file, in hexadecimal.' }),
    format: z.string().meta({ examples: ['racechrono-csv-v3'] }),
    isSimulated: z
      .literal(true)
      .optional()
      .meta({ description: 'A simulator wrote the lap file; absent for a real drive.' }),
  }),
  measurement: measurementSchema,
  result: z
    .strictObject(timedLapSchema.pick({ lapTimeMs: true, uncertaintyMs: true, sectorTimesMs: true }).shape)
    .meta({ description: 'Whole milliseconds, as on the board.' }),
  signature: signatureSchema,
});

/** The version of today: two drivers may share a name, but no id. */
const currentProofBundleSchema = firstProofBundleSchema.extend({
  kind: z.literal('pitboard-lap-proof-2'),
  driverId: userIdSchema.meta({ description: 'The id of the driver on this server.' }),
});

export const proofBundleSchema = z.discriminatedUnion('kind', [
  firstProofBundleSchema,
  currentProofBundleSchema,
]);

export type ProofBundle = z.infer<typeof proofBundleSchema>;

/** A proof as the server makes it today. */
export type CurrentProofBundle = z.infer<typeof currentProofBundleSchema>;

export const lapProofEndpoints = {
  proof: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId/proof',
    access: 'public',
    limit: 30,
    summary:
      'Returns the signed inputs of a lap time: its fixes with those next to the line, the lines, the result, the fingerprint of the lap file.',
    params: lapParams,
    response: currentProofBundleSchema,
    isTagged: true,
    errors: {
      ...LINE_ERRORS,
      conflict: 'The lap was not timed over a line here, or will be timed again soon.',
    },
  }),
  key: endpoint({
    method: 'GET',
    path: '/api/proof-key',
    access: 'public',
    summary: 'The public key that this server signs proofs of laps with.',
    response: z.object({
      algorithm: z.literal('Ed25519'),
      publicKey: z.string().meta({ description: 'SPKI, DER, in Base64.' }),
    }),
  }),
};
