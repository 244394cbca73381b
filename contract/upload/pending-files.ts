import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { nonnegativeInt, positiveInt } from '#contract/values.ts';

export const fileTokenSchema = z.uuid().meta({
  description: 'Names a lap file that the server keeps for a day for the driver who sent it.',
});

const pendingFileSchema = z.object({
  fileToken: fileTokenSchema,
  byteCount: positiveInt.meta({ description: 'Of the whole file.', examples: [48_211_302] }),
  receivedBytes: nonnegativeInt.meta({
    description: 'The bytes that have arrived; the next part begins here.',
    examples: [2_097_152],
  }),
});

export type PendingFile = z.infer<typeof pendingFileSchema>;

const OTHER_DRIVERS = 'The file is of another driver, or the call came from another site.';
const NOT_KEPT = 'There is no such file, or it is kept no longer.';

/**
 * Calls that send a large lap file in parts over an unreliable network. A client begins the file, sends each part from
 * where the last one ended, and gives the token instead of the file to an analysis or an upload.
 */
export const pendingFileEndpoints = {
  begin: endpoint({
    method: 'POST',
    path: '/api/pending-files',
    access: 'signed_in',
    limit: 120,
    summary: 'Begins a lap file that is sent in parts.',
    body: z.object({
      fileName: z.string().min(1).max(LIMITS.fileNameCharactersMax),
      byteCount: positiveInt.max(LIMITS.lapFileBytesMax),
    }),
    response: pendingFileSchema,
    errors: {
      too_large: 'The server keeps no more files of this driver, or of all. Send the file in a form.',
    },
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/pending-files/:fileToken',
    access: 'signed_in',
    limit: 1200,
    summary: 'How much of a lap file has arrived.',
    params: z.object({ fileToken: fileTokenSchema }),
    response: pendingFileSchema,
    errors: { not_allowed: 'The file is of another driver.', not_found: NOT_KEPT },
  }),
  receivePart: endpoint({
    method: 'PUT',
    path: '/api/pending-files/:fileToken',
    access: 'signed_in',
    limit: 1200,
    summary:
      'Takes the part of a lap file that begins at a byte: 256 KiB at least, unless it is the last one. One that has arrived before is not stored again.',
    params: z.object({ fileToken: fileTokenSchema }),
    query: z.object({ offset: z.coerce.number().pipe(nonnegativeInt).default(0) }),
    rawBody: { bytesMax: LIMITS.pendingPartBytesMax },
    response: pendingFileSchema,
    errors: {
      not_allowed: OTHER_DRIVERS,
      not_found: NOT_KEPT,
      conflict: 'A part before this one has not arrived.',
      too_large: 'The part is too long, or the server keeps no more bytes of this driver, or of all.',
    },
  }),
};
