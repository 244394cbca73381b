import type { FastifyInstance } from 'fastify';
import { lapViewEndpoints } from '#contract/lap-view/schemas.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { setExportHeaders } from '#server/model/laps/export-headers.ts';
import type { FindLapTrace } from '#server/model/laps/lap-traces.ts';
import type { Services } from '#server/model/services.ts';
import { getReaderKey, getVisibleLaps, NO_POSITIONS } from './serve-lap-lines.ts';

/** Serves laps as files for other programs. The access is that of their lines. */
export function serveLapExport(
  app: FastifyInstance,
  { database, lapWorkers }: Services,
  findTrace: FindLapTrace,
): void {
  serve(app, lapViewEndpoints.export, async ({ params, query: { as: format }, viewer, request, reply }) => {
    const [lap] = await getVisibleLaps(database, request, { ...params, viewer, lapIds: [params.lapId] });
    const { trackId, number, userName, sessionDate, startedAtMs } = lap;
    const found = await findTrace(lap, getReaderKey(request));
    if (found === null) throw new AppError('not_found', NO_POSITIONS);
    const title = `${userName}, lap ${number}, ${sessionDate}`;
    const task = { trace: found.trace, format, title, lapNumber: number, startMs: startedAtMs };
    const content = await lapWorkers.exportLap(task, getReaderKey(request));
    if (content === null) throw new AppError('not_found', NO_POSITIONS);
    return await setExportHeaders(reply, format, `${trackId}-lap-${number}`).send(Buffer.from(content));
  });
}
