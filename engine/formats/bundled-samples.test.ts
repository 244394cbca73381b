import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { openLapFile, timeLaps } from '../time-lap-file.ts';
import type { Track } from '../track.ts';

const data = new URL('../../data/', import.meta.url);
const tracks: Track[] = JSON.parse(readFileSync(new URL('tracks.json', data), 'utf8'));
const readme = readFileSync(new URL('lap-files/README.md', data), 'utf8');

/** Parses a time such as `1:23.456`. */
function millisecondsOf(written: string): number {
  const [minutes = '', seconds = ''] = written.split(':');
  return 60_000 * Number(minutes) + Math.round(1000 * Number(seconds));
}

test.each([
  ['laguna-seca-racechrono.csv', 'racechrono-csv-v3', 'weathertech-raceway-laguna-seca-full'],
  ['waterford-hills-25hz.csv', 'generic-csv', 'waterford-hills-full'],
  ['zandvoort-5hz.gpx', 'gpx', 'circuit-zandvoort-grand-prix'],
  ['mugello-aim.xrk', 'aim-xrk', 'mugello-circuit-grand-prix'],
  ['spa-session.rcz', 'racechrono-rcz', 'circuit-de-spa-francorchamps-grand-prix'],
  ['suzuka-catalyst.fit', 'fit', 'suzuka-circuit-full'],
  ['silverstone-gopro.csv', 'camera-csv', 'silverstone-circuit-grand-prix-arena'],
])('%s gives the laps that the README lists for it', (name, format, trackId) => {
  const file = openLapFile(readFileSync(new URL(`lap-files/${name}`, data)), inflateLapFile);
  const track = tracks.find(({ id }) => id === trackId);
  if (track === undefined) throw new Error(`There is no track ${trackId}.`);
  const row = readme.split('\n').find((line) => line.includes(name)) ?? '';
  const trueLaps = (row.split('|')[5] ?? '').split(',').map(millisecondsOf);

  expect(file.format).toBe(format);
  const { laps } = timeLaps(file, track);
  expect(laps.map((lap) => lap.status)).toEqual(trueLaps.map(() => 'valid'));
  for (const [index, lap] of laps.entries())
    expect(Math.abs(lap.lapTimeMs - (trueLaps[index] ?? 0))).toBeLessThan(20);
});
