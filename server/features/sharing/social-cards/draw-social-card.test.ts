import { expect, test } from 'vitest';
import sharp from 'sharp';
import {
  drawComparisonPreview,
  drawDriverPreview,
  drawEventPreview,
  drawHomePreview,
  drawLivePreview,
  drawTrackPreview,
  type PreviewedTrack,
} from './draw-social-card.ts';
import { drawLine, measureLine, toDrawable } from './glyphs.ts';
import { renderPng } from './social-card-cache.ts';

const track: PreviewedTrack = {
  name: 'Brands Hatch',
  configuration: 'Indy',
  location: 'Kent',
  lengthMeters: 1_900,
  sectors: [],
  outline: [
    [51.36, 0.26],
    [51.361, 0.262],
    [51.36, 0.264],
  ],
};
const record = {
  userName: 'Mara Lindqvist',
  lapTimeMs: 48_123,
  carMake: 'Mazda',
  carModel: 'MX-5',
  carVariant: null,
  carGeneration: 'NB',
};

const RECORD_COLOR = '#CB89FA';

test('nothing of a name can be taken for SVG: a picture holds paths only', async () => {
  const hostile = `"'/></svg><image href="http://evil.example/x"/><script>alert(1)</script>&lol;`;
  const svg = drawTrackPreview(
    { ...track, name: hostile, location: hostile, configuration: hostile },
    { ...record, userName: hostile, carMake: hostile },
  );
  const bests = [{ name: hostile, lapTimeMs: 48_123, isRecord: true }];
  const driver = drawDriverPreview(track, { name: hostile, trackCount: 1, lapCount: 1, bests });
  const live = drawLivePreview(track, { title: hostile, fastest: bests });
  const texts = { name: hostile, days: hostile, state: hostile, heading: hostile };
  const event = drawEventPreview(track, { ...texts, first: bests });
  for (const picture of [svg, driver, live, event]) {
    expect(picture).not.toMatch(/<image|script|evil|lol/);
    const elements = Array.from(picture.matchAll(/<([a-z]+)/g), ([, name]) => name);
    expect(new Set(elements)).toEqual(new Set(['svg', 'rect', 'g', 'path']));
  }
  expect(await sharp(await renderPng(svg)).metadata()).toMatchObject({ width: 1200, height: 630 });
});

test('the longest names there can be stay beside the circuit', async () => {
  const longest = 'W'.repeat(200);
  const svg = drawTrackPreview({ ...track, name: longest }, { ...record, userName: longest });
  expect(svg.length).toBeLessThan(200_000);
  const beside = drawTrackPreview({ ...track, name: '' }, { ...record, userName: '' });
  expect((await renderTextEdge(svg)).equals(await renderTextEdge(beside))).toBe(true);
});

/** Draws the part to the right of the texts. */
async function renderTextEdge(svg: string): Promise<Buffer> {
  return await sharp(await renderPng(svg))
    .extract({ left: 640, top: 0, width: 20, height: 630 })
    .raw()
    .toBuffer();
}

test('a comparison shows both laps with long names beside the circuit, and which of them is slower', async () => {
  const other = { ...record, userName: 'W'.repeat(80), lapTimeMs: 49_000 };
  const svg = drawComparisonPreview(track, [record, other]);
  expect(svg).not.toBe(drawComparisonPreview(track, [other, record]));
  const beside = drawTrackPreview({ ...track, name: '' }, { ...record, userName: '' });
  expect((await renderTextEdge(svg)).equals(await renderTextEdge(beside))).toBe(true);
  expect(new Set(Array.from(svg.matchAll(/<([a-z]+)/g), ([, name]) => name))).toEqual(
    new Set(['svg', 'rect', 'g', 'path']),
  );
});

test('equal laps have a gap without a sign', () => {
  const gap = drawLine({ text: '0.000 s', x: 72, y: 562, sizePx: 66, style: 'display', fill: 'red' });
  const path = gap.slice(gap.indexOf('<path'));
  const drawn = (lapTimeMs: number) => drawComparisonPreview(track, [record, { ...record, lapTimeMs }]);
  expect(drawn(record.lapTimeMs)).toContain(path);
  expect(drawn(record.lapTimeMs + 1)).not.toContain(path);
});

test('the record is drawn where there is one', () => {
  expect(drawTrackPreview(track, record)).not.toBe(drawTrackPreview(track, undefined));
  expect(drawTrackPreview(track, record)).not.toBe(drawTrackPreview(track, { ...record, lapTimeMs: 48_122 }));
});

test('a track without an outline has a picture too, and so has the front door', async () => {
  for (const svg of [drawTrackPreview({ ...track, outline: null }, undefined), drawHomePreview(track)]) {
    expect(await sharp(await renderPng(svg)).metadata()).toMatchObject({ format: 'png' });
  }
});

test('names in Latin script are drawn with their marks; of other scripts nothing is', () => {
  expect(toDrawable('Łukasz Žižka-Østergård')).toBe('Łukasz Žižka-Østergård');
  expect(toDrawable('Nguyễn')).toBe('Nguyen');
  expect(toDrawable('山田 太郎')).toBe('');
  expect(toDrawable('a\u0000b\n c')).toBe('ab c');
});

test('a wide letter takes more room than a narrow one, and twice the size twice the room', () => {
  expect(measureLine('W', 20, 'text')).toBeGreaterThan(measureLine('i', 20, 'text') * 2);
  expect(measureLine('Spa', 40, 'display')).toBeCloseTo(2 * measureLine('Spa', 20, 'display'));
});

test('the picture of a driver shows three laps at most, and its records in their colour', () => {
  const best = { name: 'Brands Hatch', lapTimeMs: 48_123, isRecord: false };
  const driver = {
    name: 'Mara Lindqvist',
    trackCount: 5,
    lapCount: 81,
    bests: [best, best, best, best, best],
  };
  const drawn = drawDriverPreview(track, driver);
  expect(drawn).toBe(drawDriverPreview(track, { ...driver, bests: driver.bests.slice(0, 3) }));
  expect(drawn).not.toContain(RECORD_COLOR);
  const withRecord = { ...driver, bests: [{ ...best, isRecord: true }, best] };
  expect(drawDriverPreview(track, withRecord)).toContain(RECORD_COLOR);
});

test('the picture of a live session says so before the first lap, and shows the fastest afterwards', () => {
  const before = drawLivePreview(track, { title: null, fastest: [] });
  const after = drawLivePreview(track, { title: null, fastest: [{ name: 'Mara', lapTimeMs: 48_123 }] });
  const titled = drawLivePreview(track, { title: 'Club Day', fastest: [] });
  expect(new Set([before, after, titled]).size).toBe(3);
  expect(before).not.toContain(RECORD_COLOR);
  expect(after).toContain(RECORD_COLOR);
});

test('the picture of an event shows its state before there are results, and three of its results afterwards', () => {
  const event = { name: 'Autumn Sprint', days: '11/28/26', state: 'Open for entries', heading: 'Official' };
  const before = drawEventPreview(track, { ...event, first: [] });
  expect(drawEventPreview(track, { ...event, state: 'Running', first: [] })).not.toBe(before);
  const row = { name: 'Mara', lapTimeMs: 48_123 };
  const after = drawEventPreview(track, { ...event, first: [row, row, row] });
  expect(after).toBe(drawEventPreview(track, { ...event, first: [row, row, row, row] }));
  expect(before).not.toContain(RECORD_COLOR);
  expect(after).toContain(RECORD_COLOR);
});
