import { expect, test } from 'vitest';
import { namesSimulator } from './simulators.ts';

test.each([
  'Assetto Corsa',
  'ACTI - Assetto Corsa Telemetry Interface',
  'rFactor 2 (DAMPlugin)',
  'iRacing',
  'exported by iRacing-to-MoTeC',
  'ks_nurburgring',
  'Gran Turismo 7',
])('%s is a simulator', (text) => {
  expect(namesSimulator(['', text])).toBe(true);
});

test.each([
  'Maserati Gran Turismo',
  'Abarth 595 Competizione',
  'Forza Milano',
  'ADL3',
  'Racing School',
  'Kart track',
  'TriRacing',
  'tracks_a',
])('%s is none', (text) => {
  expect(namesSimulator([text])).toBe(false);
});
