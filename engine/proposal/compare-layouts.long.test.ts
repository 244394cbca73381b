import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { listLapSamples } from '../../tests/lap-samples.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { openLapFile } from '../time-lap-file.ts';
import { findNearbyTracks } from './compare-layouts.ts';
import { proposeTracks } from './propose-tracks.ts';

/** Recordings of one layout by several drivers, cars or loggers, by their names. */
const SAME_LAYOUT: Record<string, RegExp> = {
  'streets of willow, clockwise': /harrys.*streets-of-willow-cw/,
  'streets of willow, counterclockwise': /harrys.*streets-of-willow-ccw/,
  'willow springs': /willow-springs-big/,
  'orlando kart center': /okc_tillotson\.(dovex|nmea)$/,
  'adria kart': /adria-kart.*\.(csv|xrk)$/,
  dijon: /dijon.*\.(csv|gpx|log)$/i,
  grattan: /speedangle_grattan\.(sa|vbo)$/,
  taupo: /jlynx_race2_lap6\.(csv|rcz)$/,
  'morgan park': /vbo_racebox-vbo_2026/,
};

const folder = process.env['LAP_SAMPLES'];

describe.skipIf(folder === undefined)('real recordings (LAP_SAMPLES)', () => {
  test('each is offered the track of every other recording of its layout, and none of another layout', () => {
    const shown = listLapSamples(folder ?? '').flatMap(({ name, path }) => {
      const layout = Object.keys(SAME_LAYOUT).find((key) => SAME_LAYOUT[key]?.test(name));
      if (layout === undefined || /lapdb|hlptr/.test(name)) return [];
      const [proposal] = proposeTracks(openLapFile(readFileSync(path), inflateLapFile));
      return proposal === undefined ? [] : [{ name, layout, track: { ...proposal.track, id: name } }];
    });
    const pairs = shown.flatMap((one) => shown.map((other) => ({ one, other })));
    const wrong = pairs.filter(({ one, other }) => {
      const [nearby] = findNearbyTracks(one.track, [other.track]);
      const isOffered = nearby?.relation?.layout === 'same' && !nearby.relation.isReverse;
      return isOffered !== (one.layout === other.layout);
    });
    expect(
      pairs.filter(({ one, other }) => one !== other && one.layout === other.layout).length,
    ).toBeGreaterThan(40);
    expect(wrong.map(({ one, other }) => [one.name, other.name])).toEqual([]);
  }, 300_000);
});
