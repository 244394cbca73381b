import { expect, test } from 'vitest';
import { asLapId, asTrackId } from '#contract/testing/ids.ts';
import { compareFasterFirst, lapHref, readLapUrl, writeLapUrl } from './lap-url.ts';

const read = (query: string) => readLapUrl(new URLSearchParams(query));

test('a URL without a lap shows none, whatever it is compared with', () => {
  expect(read('make=Mazda')).toBeNull();
  expect(read('vs=b')).toBeNull();
  expect(read('lap=')).toBeNull();
});

test('a lap is compared with at most three others, each once and never with itself', () => {
  expect(read('lap=a')).toEqual({ lapId: 'a', otherIds: [] });
  expect(read('lap=a&vs=b,a,c,b,,d,e')).toEqual({ lapId: 'a', otherIds: ['b', 'c', 'd'] });
});

test('the filters of the board stay in the URL while laps come and go', () => {
  const board = new URLSearchParams('make=Mazda&lap=x&vs=y');
  const opened = writeLapUrl(board, { lapId: asLapId('a'), otherIds: ['b', 'c'].map(asLapId) });
  expect(Object.fromEntries(opened)).toEqual({ make: 'Mazda', lap: 'a', vs: 'b,c' });
  expect(writeLapUrl(opened, { lapId: asLapId('b'), otherIds: [] }).toString()).toBe('make=Mazda&lap=b');
  expect(writeLapUrl(opened, null).toString()).toBe('make=Mazda');
});

test('the faster of two laps is the reference; of equal ones, the first', () => {
  const [fast, slow] = [
    { lapId: asLapId('fast'), lapTimeMs: 90_000 },
    { lapId: asLapId('slow'), lapTimeMs: 91_000 },
  ];
  expect(compareFasterFirst(slow, fast)).toEqual({ lapId: 'fast', otherIds: ['slow'] });
  expect(compareFasterFirst(fast, slow)).toEqual({ lapId: 'fast', otherIds: ['slow'] });
  expect(compareFasterFirst(slow, { ...slow, lapId: asLapId('equal') })).toEqual({
    lapId: 'slow',
    otherIds: ['equal'],
  });
  expect(lapHref(asTrackId('spa'), compareFasterFirst(slow, fast))).toBe('/track/spa?lap=fast&vs=slow');
  expect(lapHref(asTrackId('spa'), { lapId: asLapId('a'), otherIds: [] })).toBe('/track/spa?lap=a');
});
