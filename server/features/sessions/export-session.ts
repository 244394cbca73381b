import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { SessionId } from '#contract/ids.ts';
import { mayModerate, type Viewer } from '#contract/people/labels.ts';
import type { ExportFormat } from '#engine/export/formats.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { hasOpenFlag } from '#server/model/flags/flag-store.ts';
import { setExportHeaders } from '#server/model/laps/export-headers.ts';
import { type TraceDeps, withStoredLapFile } from '#server/model/laps/lap-traces.ts';
import { findSessionFile, type SessionFile } from '#server/model/laps/session-store.ts';

const GONE = 'The lap file of this session is not there any more.';

/** Sends the recording of a session in another format. @throws AppError where the viewer may not see all of it, or it is gone */
export async function exportSession(
  deps: TraceDeps,
  reply: FastifyReply,
  { viewer, sessionId, format }: { viewer: Viewer; sessionId: SessionId; format: ExportFormat },
): Promise<FastifyReply> {
  const session = await findSessionFile(deps.db, sessionId);
  if (!session) throw new AppError('not_found', 'There is no such session.');
  if (!(await maySeeWhole(deps.db, viewer, session)))
    throw new AppError('not_allowed', 'This session is not yours.');
  const outputPath = join(deps.incomingFolder, randomUUID());
  const written = await withStoredLapFile(deps, session, ({ path, track, byteCount }) => {
    const title = [track.name, track.configuration, session.sessionDate].filter(Boolean).join(' ');
    const wish = { format, title, startMs: session.startedAt.getTime() };
    return deps.lapWorkers.exportFile({ path, track, outputPath, ...wish }, { userId: viewer.id, byteCount });
  }).catch(async (error: unknown) => {
    await rm(outputPath, { force: true });
    throw error;
  });
  if (!written?.isReadable) throw new AppError('not_found', GONE);
  const content = createReadStream(outputPath).once('close', () => void rm(outputPath, { force: true }));
  const name = `${session.trackId}-${session.sessionDate.slice(0, 10)}`;
  return await setExportHeaders(reply, format, name).send(content);
}

async function maySeeWhole(db: Database, viewer: Viewer, session: SessionFile): Promise<boolean> {
  return session.userId === viewer.id || (mayModerate(viewer) && (await hasOpenFlag(db, session, viewer.id)));
}
