import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import { inFormats } from '#web/testing/formats.ts';
import { roundLength, roundSpeed, speedUnit, lengthUnit } from '#web/ui/format.ts';
import { DistanceTable, FiguresByDistance } from './distance-table.tsx';
import { PlaceCurves } from './place-curves.tsx';
import { describePlace, readCause, readBrakingPoints } from './place-messages.ts';
import { LAP_STROKES, type ShownLap } from './shown-laps.ts';
import { StretchTable } from './stretch-table.tsx';

const REGIONS = [undefined, 'de-DE', 'en-GB', 'en-US', 'ja-JP'];
const METERS = [540, 620, 700];
const CORNER = { kind: 'corner', before: null, isLast: false } as const;

type Speeds = readonly [reference: number, other: number];
type Cause = ComparedStretch['laps'][number]['cause'];

const side = (kmh: number, brakingMeters: number) => ({
  startKmh: kmh,
  slowestKmh: kmh,
  slowestMeters: 620,
  endKmh: kmh,
  brakingMeters,
  brakingDoubtMeters: 1,
  isBrakingClear: true,
  startDoubtKmh: 0,
  slowestDoubtKmh: 0,
  endDoubtKmh: 0,
  brakingEarlierMeters: null,
  lostMs: 0,
  bandMs: 0,
  cause: null,
});

/** Two laps that drive a corner at one speed each. */
function compare([reference, other]: Speeds, cause: Cause, doubtKmh = 0) {
  const stretch: ComparedStretch = {
    kind: 'corner',
    number: 5,
    startMeters: 540,
    endMeters: 700,
    laps: [
      side(reference, 560),
      {
        ...side(other, 546),
        slowestDoubtKmh: doubtKmh,
        cause,
        brakingEarlierMeters: cause?.kind === 'braking' ? cause.earlierMeters : 0,
      },
    ],
  };
  const laps = [showLap('Luca', reference, LAP_STROKES[0]), showLap('You', other, LAP_STROKES[1])] as const;
  return { stretch, laps };
}

function showLap(name: string, kmh: number, stroke: ShownLap['stroke']): ShownLap {
  return {
    lapId: asLapId(name),
    name,
    isYou: name === 'You',
    stroke,
    speedsKmh: METERS.map(() => kmh),
    holes: [],
    gap: null,
  };
}

/** Shows a comparison as the page does: the sentence, the picture and the table. */
function showComparison(speeds: Speeds, cause: Cause, doubtKmh = 0) {
  const { stretch, laps } = compare(speeds, cause, doubtKmh);
  const columns = [laps[0].speedsKmh, laps[1].speedsKmh] as const;
  const read = readCause(stretch, 1, { meters: METERS, speedsKmh: columns });
  const table = createElement(StretchTable, {
    stretches: [stretch],
    shown: [],
    lapIndex: 1,
    pair: laps,
    gapMs: 0,
    isPhone: false,
    currentRow: 0,
    onFollow: () => undefined,
    onChoose: () => undefined,
  });
  const picture = createElement(PlaceCurves, {
    stretch,
    cause: read,
    braking: readBrakingPoints(stretch, 1, read),
    meters: METERS,
    laps,
  });
  return {
    cause: read,
    sentence: describePlace(read, CORNER, laps),
    picture: renderToStaticMarkup(picture),
    table: renderToStaticMarkup(table),
  };
}

const someSpeed = fc.double({ min: 20, max: 400, noNaN: true });
const someRegion = fc.constantFrom(...REGIONS);

test('a sentence about speeds has the figures of its picture and of the table, in every unit', () => {
  fc.assert(
    fc.property(someRegion, someSpeed, someSpeed, (region, theirs, mine) =>
      inFormats(region, () => {
        const cause = { kind: 'slowest-speed', slowerKmh: 1, atMeters: 620 } as const;
        const page = showComparison([theirs, mine], cause);
        const [luca, you] = [roundSpeed(theirs), roundSpeed(mine)];
        const figures = Array.from(
          page.picture.matchAll(/fill="var\(--lap-[ab]\)"[^>]*>(\d+)</g),
          ([, text]) => text,
        );
        if (page.cause === null) {
          expect([luca, figures]).toEqual([you, []]);
          return;
        }
        expect(page.sentence).toBe(`At the slowest point you do ${you} ${speedUnit()}, Luca ${luca}.`);
        expect(figures).toEqual([String(luca), String(you)]);
        const sign = you > luca ? '+' : '−';
        expect(page.table).toContain(`>${you}<i>${sign}${Math.abs(you - luca)}</i>`);
      }),
    ),
  );
});

/** Returns the difference beside the lowest speed. */
const showSlowest = (region: string, doubtKmh: number) => {
  const { table } = inFormats(region, () => showComparison([128, 121], null, doubtKmh));
  return /<td><span[^>]*>\d+<i>[^<]*<\/i>.*?<td><span[^>]*>\d+<i>([^<]*)</.exec(table)?.[1];
};

test('the table shows no difference of speeds within its doubt, but the doubt', () => {
  expect(showSlowest('de-DE', 6)).toBe('−7');
  expect(showSlowest('de-DE', 8.4)).toBe('±9');
  expect(showSlowest('en-GB', 8.4)).toBe('±6');
});

test('a sentence about braking has the length of its picture and of the table, in every unit', () => {
  const someLength = fc.double({ min: 5.5, max: 200, noNaN: true });
  fc.assert(
    fc.property(someRegion, someLength, (region, earlierMeters) =>
      inFormats(region, () => {
        const page = showComparison([100, 100], { kind: 'braking', earlierMeters });
        const length = `${roundLength(earlierMeters)} ${lengthUnit()}`;
        expect(page.sentence).toBe(`You brake ${length} earlier.`);
        expect(page.picture).toContain(`>${length}<`);
        expect(page.table).toContain(`>${length} earlier<`);
      }),
    ),
  );
});

const writeSentences = () =>
  [
    { kind: 'slowest-speed', slowerKmh: 6.8, atMeters: 620 } as const,
    { kind: 'middle-speed', slowerKmh: 6.8, atMeters: 620 } as const,
    { kind: 'braking', earlierMeters: 14 } as const,
  ].map((cause) => showComparison([114.2, 107.4], cause).sentence);

test('sentences are in the units of the reader', () => {
  const metric = [
    'At the slowest point you do 107 km/h, Luca 114.',
    'At 620 m you do 107 km/h, Luca 114.',
    'You brake 14 m earlier.',
  ];
  for (const region of [undefined, 'de-DE', 'fr-FR'])
    expect(inFormats(region, writeSentences)).toEqual(metric);
  expect(inFormats('en-GB', writeSentences)).toEqual([
    'At the slowest point you do 67 mph, Luca 71.',
    'At 620 m you do 67 mph, Luca 71.',
    'You brake 14 m earlier.',
  ]);
  expect(inFormats('en-US', writeSentences)).toEqual([
    'At the slowest point you do 67 mph, Luca 71.',
    'At 2,034 ft you do 67 mph, Luca 71.',
    'You brake 46 ft earlier.',
  ]);
});

test('the table of figures has a round step in the unit of the reader', () => {
  const { laps } = compare([100, 100], null);
  const table = () => renderToStaticMarkup(createElement(DistanceTable, { meters: METERS, laps }));
  expect(inFormats('de-DE', table)).toContain('<summary>Figures every 100 m</summary>');
  expect(inFormats('en-US', table)).toContain('<summary>Figures every 300 ft</summary>');
});

test('the table of figures begins where the lap does, and has no speed in a hole of the recording', () => {
  const { laps } = compare([100, 90], null);
  const [whole, other] = laps;
  const holes = [{ startMeters: 590, endMeters: 690, lastsMs: 2_000 }];
  const table = inFormats('de-DE', () =>
    renderToStaticMarkup(
      createElement(FiguresByDistance, { meters: METERS, laps: [whole, { ...other, holes }] }),
    ),
  );
  const rows = Array.from(table.matchAll(/<tr><th scope="row">([^<]*)<\/th><td>([^<]*)<\/td><td>([^<]*)</g));
  expect(rows.map(([, ...cells]) => cells)).toEqual([
    ['600 m', '100 km/h', '—'],
    ['700 m', '100 km/h', '90 km/h'],
  ]);
});
