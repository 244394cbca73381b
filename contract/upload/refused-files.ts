import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { refusedFileIdSchema } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { momentSchema, nullableText } from '#contract/values.ts';

export const refusedFileReportSchema = z.object({
  sentence: nullableText.meta({ description: 'Why the engine refuses the file; null where it reads it.' }),
  format: nullableText.meta({ description: 'The format of the file; null where it is not read.' }),
  positionCount: z.int().nonnegative(),
  dropped: z
    .record(z.string(), z.int())
    .meta({ description: 'Rows that became no position, by reason.', examples: [{ no_time: 12 }] }),
  engineVersion: z.string(),
});

export type RefusedFileReport = z.infer<typeof refusedFileReportSchema>;

const refusedFileSchema = z.object({
  id: refusedFileIdSchema,
  userName: z.string(),
  fileName: z.string(),
  byteCount: z.int().nonnegative(),
  sentAt: momentSchema,
  report: refusedFileReportSchema,
});

export type RefusedFile = z.infer<typeof refusedFileSchema>;

const params = z.object({ fileId: refusedFileIdSchema });
const NO_SUCH_FILE = { not_found: 'There is no such file.' };

export const refusedFileEndpoints = {
  send: endpoint({
    method: 'POST',
    path: '/api/refused-files',
    access: 'signed_in',
    limit: 20,
    summary: `Sends a lap file that was refused to the owners of the site, who keep it for ${LIMITS.refusedFileDays} days at most; ${LIMITS.refusedFilesPerDayMax} a day. It leaves the server only if an owner downloads it.`,
    multipart: { fileField: 'file', maxFiles: 1, takesTokens: true, fields: z.object({}) },
    response: z.object({ sent: z.literal(true) }),
    errors: {
      too_large: 'The owners keep no more such files at the moment, or the file is too large.',
      too_many_requests: `A driver sends ${LIMITS.refusedFilesPerDayMax} such files a day.`,
      not_found: 'The file of the token is kept no longer.',
      not_allowed: 'The file was sent by another driver, or the call came from another site.',
    },
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/admin/refused-files',
    access: 'owner',
    summary:
      'Lists the refused files that drivers have sent, latest first, with what the engine found in them.',
    response: z.object({ files: z.array(refusedFileSchema) }),
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/admin/refused-files/:fileId/archive.zip',
    access: 'owner',
    limit: 60,
    summary: "A refused file as its driver sent it, with the engine's report, in a ZIP archive.",
    params,
    response: 'application/zip',
    errors: NO_SUCH_FILE,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/refused-files/:fileId',
    access: 'owner',
    audit: 'delete-refused-file',
    summary: 'Deletes a refused file.',
    params,
    response: z.object({ removed: z.literal(true) }),
    errors: NO_SUCH_FILE,
  }),
};
