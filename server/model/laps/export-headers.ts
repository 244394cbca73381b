import type { FastifyReply } from 'fastify';
import { EXPORT_FORMATS, type ExportFormat } from '#engine/export/formats.ts';

/** Sets the type of an export, and the name of its file; `name` is safe in a header, as the ids of tracks are. */
export function setExportHeaders(reply: FastifyReply, format: ExportFormat, name: string): FastifyReply {
  const { suffix, mediaType } = EXPORT_FORMATS[format];
  return reply
    .type(mediaType)
    .header('cache-control', 'private, no-cache')
    .header('content-disposition', `attachment; filename="${name}.${suffix}"`);
}
