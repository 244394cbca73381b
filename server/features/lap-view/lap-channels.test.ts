import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LapTrace, lapTraceSchema } from '#contract/lap-view/schemas.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { isCurrent, packTraces } from '#server/model/laps/timing/session-traces.ts';
import { putTraces, readTraces } from '#server/model/laps/trace-storage.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { driveKart, insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

async function getTrace(url: string): Promise<LapTrace> {
  const response = await app.asGuest().get(`${url}/trace`);
  expect(response.statusCode).toBe(200);
  return lapTraceSchema.strict().parse(response.json());
}

/** Returns a table of a drive with a pedal that is unknown in every tenth minute, and a gear. */
function tableWithChannels(): string {
  const [header = '', ...rows] = writeGenericCsv(driveKart()).trimEnd().split('\n');
  const added = rows.map((row, index) => `${row},${index % 600 < 60 ? '' : index % 101},${1 + (index % 5)}`);
  return [`${header},throttle (%),gear`, ...added, ''].join('\n');
}

/** Returns the values of a channel of an answer. */
function valuesOf({ channels }: LapTrace, name: string): (number | null)[] {
  const column = channels.columns.find((channel) => channel.name === name);
  if (!column) throw new Error(`There is no ${name}.`);
  let units = 0;
  return column.steps.map((step) => (step === null ? null : (units += step) * column.step));
}

test('the trace of a lap has the channels of its lap file, one value for each of its entries', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db), tableWithChannels());
  const trace = await getTrace(upload.url);
  expect(trace.channels).toMatchObject({
    version: 1,
    columns: [
      { name: 'throttle', unit: '%', step: 1 },
      { name: 'gear', unit: '', step: 1 },
    ],
  });
  const gears = valuesOf(trace, 'gear');
  expect(gears).toHaveLength(trace.timesMs.length);
  expect(new Set(gears)).toEqual(new Set([1, 2, 3, 4, 5]));
  const pedal = valuesOf(trace, 'throttle');
  expect(pedal).toHaveLength(trace.timesMs.length);
  expect(Math.max(...pedal.map((value) => value ?? 0))).toBeLessThanOrEqual(100);
});

test('the trace of a lap file without channels says so', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db));
  expect((await getTrace(upload.url)).channels).toEqual({ version: 1, columns: [] });
});

test('traces that an earlier version stored are made again, with their channels', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db), tableWithChannels());
  const file = openLapFile(Buffer.from(upload.content));
  const older = withoutTraceVersion(packTraces(file, timeLaps(file, KART_TRACK).laps));
  expect(isCurrent(older)).toBe(false);
  await putTraces(app.storage, upload.storageKey, {
    traces: older,
    workPath: join(app.incomingFolder, 'older'),
  });
  expect((await getTrace(upload.url)).channels.columns).toHaveLength(2);
  const stored = await readTraces(app.storage, upload.storageKey);
  expect(stored && isCurrent(stored)).toBe(true);
});

/** Returns the object as it was packed before it named the version of its traces. */
function withoutTraceVersion(packed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(packed);
  const end = 4 + bytes.readUInt32LE();
  const header = Buffer.from(bytes.toString('utf8', 4, end).replace(/"traceVersion":\d+,/, ''));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, bytes.subarray(end)]);
}
