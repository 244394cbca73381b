import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { lapProofEndpoints, type CurrentProofBundle } from '#contract/lap-view/proof.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { AppError } from '#server/kernel/errors.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { openResponseCache } from '#server/kernel/http/response-cache.ts';
import { openDocumentSigner } from '#server/kernel/sign-document.ts';
import { withStoredLapFile } from '#server/model/laps/lap-traces.ts';
import type { StoredLap } from '#server/model/laps/lap-view-store.ts';
import { getVisibleLaps, getReaderKey } from './serve-lap-lines.ts';

const CACHED_BYTES_MAX = 16 * 1024 * 1024;

const NOT_TIMED_HERE = 'This lap was timed by its logger, so there is nothing to check it with.';
const GONE = 'The lap file of this lap is not there any more.';
const TIMED_AGAIN_SOON =
  'The track or the engine has changed, and this lap will be timed again soon. Please try later.';

/** Serves proofs of lap times, which show where the car was: access is checked before the cache is read. */
export function serveLapProofs(app: FastifyInstance, services: Services): void {
  const { database, settings, lapWorkers } = services;
  const signer = openDocumentSigner(settings.cookieSecret);
  const cache = openResponseCache(CACHED_BYTES_MAX);

  serve(app, lapProofEndpoints.key, () =>
    Promise.resolve({ algorithm: 'Ed25519' as const, publicKey: signer.publicKey }),
  );

  serve(app, lapProofEndpoints.proof, async ({ params, viewer, request, reply }) => {
    const [lap] = await getVisibleLaps(database, request, { ...params, viewer, lapIds: [params.lapId] });
    const version = [ENGINE_VERSION, lap.fileSha256, lap.startOffsetMs, lap.lapTimeMs, lap.userName].join();
    const response = await cache(`proof ${lap.lapId}`, version, async () => {
      const bundle = signer.sign(await prove(lap, getReaderKey(request)));
      return JSON.stringify(lapProofEndpoints.proof.response.parse(bundle));
    });
    return sendCached(request, reply, response);
  });

  async function prove(lap: StoredLap, reader: string): Promise<Omit<CurrentProofBundle, 'signature'>> {
    if (lap.reasons.includes('timed_by_logger')) throw new AppError('conflict', NOT_TIMED_HERE);
    const deps = { ...services, db: database.db, log: app.log };
    const { startOffsetMs, lapTimeMs } = lap;
    const found = await withStoredLapFile(deps, lap, async ({ path, track, byteCount }) => {
      const task = { path, track, startOffsetMs, lapTimeMs };
      return { track, proven: await lapWorkers.prove(task, { userId: reader, byteCount }) };
    });
    if (!found?.proven.isReadable || !found.proven.value) throw new AppError('not_found', GONE);
    const { proof, result, fileSha256 } = found.proven.value;
    if (result.lapTimeMs !== lapTimeMs || fileSha256 !== lap.fileSha256)
      throw new AppError('conflict', TIMED_AGAIN_SOON);
    return {
      kind: 'pitboard-lap-proof-2',
      site: settings.publicUrl,
      trackId: lap.trackId,
      trackName: [found.track.name, found.track.configuration].filter(Boolean).join(' '),
      lapId: lap.lapId,
      driverId: lap.driverId,
      userName: lap.userName,
      engineVersion: ENGINE_VERSION,
      lapFile: {
        sha256: fileSha256,
        format: lap.format,
        ...(isSimulated(lap) && { isSimulated: true as const }),
      },
      measurement: proof,
      result,
    };
  }
}

function isSimulated({ reasons }: Pick<StoredLap, 'reasons'>): boolean {
  return reasons.includes('simulated') || reasons.includes('sample');
}
