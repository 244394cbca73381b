import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { asCarModelId, asUserId } from '#contract/testing/ids.ts';
import type { UserId } from '#contract/ids.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import { openDatabase } from '#server/kernel/database/database.ts';
import { act } from './act.ts';
import type { BoardRow, KnownDriver } from './community.ts';
import { parseFigures, type Figures } from './figures.ts';
import { isRightBoard, reviewSoak } from './review-soak.ts';
import { checkBoard, checkTracks } from './reading.ts';
import type { Soak, SoakCounts } from './soak.ts';

// A soak that cannot fail proves nothing.

const row = (driverId: UserId, lapTimeMs: number, rank: number, gapMs: number): BoardRow => ({
  driverId,
  userName: `Driver ${driverId}`,
  hasAvatar: false,
  lapTimeMs,
  rank,
  gapMs,
});

const ana = row(asUserId('ana'), 60_000, 1, 0);
const ben = row(asUserId('ben'), 61_000, 2, 1_000);
const cho = row(asUserId('cho'), 61_000, 2, 1_000);
const dia = row(asUserId('dia'), 62_000, 4, 2_000);
const WHOLE = [ana, ben, cho, dia];

describe('a board', () => {
  test.each<[string, BoardRow[], number?]>([
    ['as it must be', WHOLE],
    ['with equal times in another order', [ana, cho, ben, dia]],
    ['of one page', [ana], 1],
    ['of a page that ends among equal times', [ana, ben], 2],
    ['of a page that ends among equal times, with another of them', [ana, cho], 2],
    ['that is shorter than a page', WHOLE, 20],
  ])('%s is right', (_name, rows, limit) => {
    expect(isRightBoard(rows, WHOLE, limit)).toBe(true);
  });

  test.each<[string, BoardRow[], number?]>([
    ['that is empty', []],
    ['without its first', [ben, cho, dia]],
    ['without its last', [ana, ben, cho]],
    ['with somebody who is not on it', [...WHOLE, row(asUserId('eve'), 63_000, 5, 3_000)]],
    ['with somebody in place of another', [ana, ben, cho, row(asUserId('eve'), 62_000, 4, 2_000)]],
    ['with somebody twice', [ana, ben, ben, dia]],
    ['in the wrong order', [ben, ana, cho, dia]],
    ['with the name of before', [{ ...ana, userName: 'Driver 1' }, ben, cho, dia]],
    ['with the picture of before', [{ ...ana, hasAvatar: true }, ben, cho, dia]],
    ['with a wrong time', [{ ...ana, lapTimeMs: 59_999 }, ben, cho, dia]],
    ['with a wrong rank', [ana, ben, { ...cho, rank: 3 }, dia]],
    ['with a wrong gap', [ana, ben, cho, { ...dia, gapMs: 1_999 }]],
    ['with more than a page', [ana, ben], 1],
    ['with less than a page', [ana], 2],
    ['of a page with the name of before', [{ ...ana, userName: 'Driver 1' }, ben], 2],
    ['of a page with somebody in place of its last', [ana, row(asUserId('eve'), 61_000, 2, 1_000)], 2],
    ['of a page with its last twice', [ana, ben, ben], 3],
  ])('%s is wrong', (_name, rows, limit) => {
    expect(isRightBoard(rows, WHOLE, limit)).toBe(false);
  });
});

const COUNTS: SoakCounts = {
  calls: 9,
  changes: 3,
  boardsJudged: 5,
  boardsUnjudged: 1,
  unchanged: 1,
  wrongBoards: 0,
  serverErrors: 0,
};
const GOOD = { counts: COUNTS, failures: [] };

/** Samples of a run: each figure as it is at a share of the time. */
const samplesOf = (at: (share: number) => Partial<Figures>): Figures[] =>
  Array.from({ length: 100 }, (_, index) => ({
    residentBytes: 200e6,
    heapBytes: 60e6 + (index % 10) * 5e6, // between collections
    openFiles: 40,
    connections: 10,
    loopDelayP99Seconds: 0.01,
    ...at(index / 100),
  }));
const FLAT = samplesOf(() => ({}));

describe('a soak', () => {
  test('in which nothing goes wrong is good', () => {
    expect(reviewSoak(GOOD, FLAT, 30)).toEqual([]);
    // Until everything is warm, memory grows.
    expect(
      reviewSoak(
        GOOD,
        samplesOf((share) => (share < 0.3 ? { residentBytes: 90e6 } : {})),
        30,
      ),
    ).toEqual([]);
  });

  test.each<[string, (share: number) => Partial<Figures>]>([
    ['memory', (share) => ({ residentBytes: 200e6 * (1 + share) })],
    ['heap', (share) => ({ heapBytes: 60e6 * (1 + share) })],
    ['files', (share) => ({ openFiles: 40 + 60 * share })],
    ['memory', () => ({ residentBytes: Number.NaN })],
  ])('whose %s grows, or is not known, is not', (name, at) => {
    expect(reviewSoak(GOOD, samplesOf(at), 30)).toEqual([expect.stringMatching(`^${name} grows from`)]);
  });

  test('without figures of memory is not', () => {
    expect(reviewSoak(GOOD, [], 30)).not.toEqual([]);
    expect(() => parseFigures('process_open_fds 30\n')).toThrow('process_resident_memory_bytes');
  });

  test('with any failure, or in which no board could be judged, is not', () => {
    expect(reviewSoak({ ...GOOD, failures: ['A wrong board'] }, FLAT, 5)).toEqual(['A wrong board']);
    const counts = { ...COUNTS, boardsJudged: 0 };
    expect(reviewSoak({ ...GOOD, counts }, FLAT, 5)).toEqual(['No board could be judged.']);
  });
});

// A server that answers whatever a test has it answer.
let server: Server;
const database = openDatabase('postgresql://pitboard@127.0.0.1:1/none');

const MODEL: CarModel = {
  id: asCarModelId('b0000000-0000-4000-8000-000000000001'),
  make: 'Mazda',
  modelFamily: 'MX-5',
  variant: '1.8',
  generation: 'NB',
  modelKey: 'mazda-mx-5-nb-1-8',
  modelDisplay: 'Mazda MX-5 1.8',
  years: null,
  drivetrain: 'RWD',
  raceClass: 'Roadster',
  status: 'official',
};

const driver: KnownDriver = {
  id: asUserId('a0000000-0000-4000-8000-000000000001'),
  name: 'Ana',
  hasAvatar: false,
  headers: {},
  cars: [],
  sessions: [
    {
      id: 's',
      trackId: KART_TRACK.id,
      car: null,
      tire: null,
      startTimeMs: Date.now(),
      bestLapTimeMs: 60_000,
    },
  ],
};

async function soakAgainst(status: number, body: string): Promise<Soak> {
  server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    db: database.db,
    // Boards without a filter are what the first draws lead to.
    random: { ...seededRandom(1), uniform: () => 0 },
    tracks: [KART_TRACK],
    models: [MODEL],
    photo: new Blob([]),
    drivers: [driver],
    changes: new Map(),
    busy: new Set(),
    counts: { ...COUNTS, boardsJudged: 0 },
    failures: [],
    tagged: new Map(),
  };
}

describe('an answer', () => {
  afterEach(async () => {
    server.close();
    await once(server, 'close');
  });

  test.each([500, 503, 404])('of %i is a failure', async (status) => {
    const soak = await soakAgainst(status, '{"error":"internal"}');
    await act(soak);
    expect(soak.failures).toEqual([expect.stringContaining(`: ${status} {"error":"internal"}`)]);
    expect(soak.counts.serverErrors).toBe(status < 500 ? 0 : 1);
  });

  test('that never comes is a failure', async () => {
    const soak = await soakAgainst(200, '[]');
    await act({ ...soak, url: 'http://127.0.0.1:1' });
    expect(soak.failures).toHaveLength(1);
  });

  test('that is no board is a failure', async () => {
    const soak = await soakAgainst(200, '{"rows":[]}');
    await act(soak);
    expect(soak.failures).toHaveLength(1);
  });

  test('with an empty board, where somebody has driven, is a wrong board', async () => {
    const soak = await soakAgainst(200, '[]');
    await checkBoard(soak);
    expect(soak.counts).toMatchObject({ boardsJudged: 1, wrongBoards: 1 });
    expect(soak.failures).toEqual([expect.stringMatching(/^A wrong board: [^]*"lapTimeMs":60000/)]);
  });

  test('with a board that is changed meanwhile is not judged', async () => {
    const soak = await soakAgainst(200, '[]');
    soak.changes.set(KART_TRACK.id, { finished: 0, underWay: 1 });
    await checkBoard(soak);
    expect(soak.counts).toMatchObject({ boardsJudged: 0, boardsUnjudged: 2 });
    expect(soak.failures).toEqual([]);
  });

  test('with another count of entries than there are is a failure', async () => {
    const soak = await soakAgainst(200, JSON.stringify([{ id: KART_TRACK.id, entryCount: 2 }]));
    await checkTracks(soak);
    expect(soak.failures).toEqual([`${KART_TRACK.id} has 1 entries, not 2.`]);
  });
});
