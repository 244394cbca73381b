import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { sampleFile, type SampleFile } from '../faults/client.ts';
import type { PostgresServer } from './postgres-pair.ts';

/** The outcome of an upload: its session, the status of a refusal, or no answer. */
export type Sent = { sessionId: string } | { status: number; body: string } | { isUnanswered: true };

const resultsSchema = z.object({
  results: z.array(
    z.object({ success: z.boolean(), sessionId: z.string().optional(), error: z.string().optional() }),
  ),
});

/** Puts the kart track of the tests into the database: a drive on it is short. */
export async function insertKartTrack({ query }: Pick<PostgresServer, 'query'>): Promise<string> {
  const { id, name, centerLat, centerLon, radiusMeters, startFinishLine, sectors, outline } = KART_TRACK;
  await query(
    `INSERT INTO tracks (id, name, status, center_lat, center_lon, radius_meters, start_finish_line, sectors, outline, time_zone)
     VALUES ($1, $2, 'official', $3, $4, $5, $6, $7, $8, 'Europe/Berlin') ON CONFLICT DO NOTHING`,
    [
      id,
      name,
      centerLat,
      centerLon,
      radiusMeters,
      ...[startFinishLine, sectors, outline].map((value) => JSON.stringify(value)),
    ],
  );
  return id;
}

let seed = 1;

/** A lap file of a new drive, unlike all before it. */
export function nextFile(): SampleFile {
  seed += 1;
  const startTimeMs = Date.UTC(2026, 4, 16, 9) + seed * 3_600_000;
  const drive = simulateDrive(KART_TRACK, {
    seed,
    laps: 2,
    startTimeMs,
    leadInMeters: 60,
    leadOutMeters: 60,
  });
  return sampleFile(`drive-${seed}.csv`, writeGenericCsv(drive));
}

/** Uploads a file for who is signed in by `cookie`, from one of many addresses, so that no limit is met. */
export async function send(
  url: string,
  cookie: string,
  { name, content }: SampleFile,
  origin = url,
): Promise<Sent> {
  const body = new FormData();
  body.set('trackId', KART_TRACK.id);
  body.set('files', new File([content], name, { type: 'text/csv' }));
  const headers = { cookie, origin, 'x-forwarded-for': `10.1.${randomInt(256)}.${randomInt(256)}` };
  try {
    const response = await fetch(`${url}/api/upload`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) return { status: response.status, body: text };
    const [result] = resultsSchema.parse(JSON.parse(text)).results;
    return result?.sessionId
      ? { sessionId: result.sessionId }
      : { status: response.status, body: result?.error ?? '' };
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) throw error;
    return { isUnanswered: true };
  }
}

/** How many laps rank on the board of the kart track, for a guest or who is signed in by `cookie`. */
export async function countLaps(url: string, cookie = ''): Promise<number> {
  const response = await fetch(`${url}/api/laps/track/${KART_TRACK.id}/summary`, { headers: { cookie } });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return z.object({ totalLaps: z.number() }).parse(await response.json()).totalLaps;
}
