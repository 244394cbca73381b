import { expect, test } from 'vitest';
import { readLapFile } from '#engine/formats/recognise.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeMotecLd, writeMotecLdx } from '#engine/testing/write-motec-ld.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { pairLapLists } from './pair-lap-lists.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});
const log = (name: string) => new File([writeMotecLd(drive).slice()], name, { lastModified: 7 });
const list = (name: string) => new File([writeMotecLdx(drive)], name);

test('a log and its list of laps become one archive, which has the laps of the list', async () => {
  const other = new File(['time,lat,lon'], 'other.csv');
  const files = await pairLapLists([list('Run 1.LDX'), other, log('run 1.ld'), log('run 2.ld')]);
  expect(files.map(({ name }) => name)).toEqual(['other.csv', 'run 1.ld.zip', 'run 2.ld']);
  expect(files[1]?.lastModified).toBe(7);
  const { format, loggerLaps } = readLapFile(new Uint8Array((await files[1]?.arrayBuffer()) ?? []));
  expect(format).toBe('motec-ld');
  expect(loggerLaps).toHaveLength(3);
});

test('a list of laps without its log stays, and the server says what it is', async () => {
  const files = [log('a.ld'), list('b.ldx')];
  expect(await pairLapLists(files)).toEqual(files);
});
