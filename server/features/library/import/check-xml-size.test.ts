import { expect, test } from 'vitest';
import { AppError } from '#server/kernel/errors.ts';
import { readXmlTracks } from './xml-tracks.ts';

const kml = (content: string): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`;
const line = (points: number): string =>
  `<Placemark><name>Ring</name><LineString><coordinates>${'-122.694512,45.594912,0 '.repeat(points)}</coordinates></LineString></Placemark>`;
const PLACEMARK = '<Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point></Placemark>';

/** Returns the processor time of this process in milliseconds: other work of the machine does not count. */
function readProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Measures what a busy loop of a fixed length takes now, in milliseconds: about 100. */
function measureMachine(): number {
  const startMs = readProcessorMs();
  let sum = 0;
  for (let index = 0; index < 1e8; index++) sum = (sum + index) | 0;
  expect(sum).toBeTypeOf('number');
  return readProcessorMs() - startMs;
}

test.each([
  ['a million places', () => kml(PLACEMARK.repeat(1_000_000))],
  ['one line of 20 MB', () => kml(line(800_000))],
  ['many long lines', () => kml(line(80_000).repeat(30))],
  ['one text of 60 MB', () => kml('a'.repeat(60_000_000))],
  [
    'a tag with 100,000 attributes',
    () => `<kml ${Array.from({ length: 100_000 }, (_, n) => `a${n}="1"`).join(' ')}></kml>`,
  ],
  ['a tag that never ends', () => `<kml a="${'x'.repeat(5_000_000)}`],
  ['elements within each other', () => `<kml>${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}</kml>`],
  ['a million comments', () => kml('<!-- a -->'.repeat(1_000_000))],
  [
    'a GPX file of a long drive',
    () =>
      `<gpx><trk><trkseg>${'<trkpt lat="1" lon="2"><ele>1</ele></trkpt>'.repeat(1_000_000)}</trkseg></trk></gpx>`,
  ],
])('%s is refused at once, in words', (_what, make) => {
  const text = make();
  const boundMs = Math.max(1_000, 10 * measureMachine());
  const startMs = readProcessorMs();
  expect(() => readXmlTracks(text)).toThrow(AppError);
  expect(readProcessorMs() - startMs).toBeLessThan(boundMs);
});

test('a line with as many points as a long drive is read', () => {
  expect(readXmlTracks(kml(line(20_000)))).toHaveLength(1);
});

test('comments and elements that close themselves are no levels', () => {
  const alone = '<!-- a --><a/><?b c?><a b="c" />'.repeat(300);
  expect(readXmlTracks(kml(alone + line(10)))).toHaveLength(1);
});
