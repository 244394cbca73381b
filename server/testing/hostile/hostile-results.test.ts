import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type OfficialResults, officialResultsSchema } from '#contract/race-events/official-results.ts';
import { openDocumentSigner } from '#server/kernel/sign-document.ts';
import { parseOfficialResults, signResults } from '#server/model/race-events/official-results.ts';
import { rankRuns } from '#server/model/race-events/results.ts';
import { describeResults, verifyResults } from '../../../scripts/verify-results.ts';
import { verify } from '../../../scripts/verify.ts';

// Results of forgers for `npm run verify`: changed after they were signed, signed by themselves, and with places that do not follow.

const server = openDocumentSigner('the secret of the server');
const forger = openDocumentSigner('not the secret of the server');
const given = { key: server.publicKey };

const id = (index: number) => `2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d90${index}`;
const run = (entry: number, timeMs: number) => ({
  id: id(entry),
  entryId: id(entry),
  courseNumber: 1,
  runNumber: 1,
  lap: null,
  timeMs,
  uncertaintyMs: null,
  cones: 0,
  gates: 0,
  status: 'timed',
  reason: null,
  recordedAt: '2026-06-06T10:00:00.000Z',
  counts: true,
});
const entry = (index: number, number: string) => ({
  id: id(index),
  classId: id(0),
  number,
  carName: null,
  group: null,
  withdrawnAt: null,
});

/** Writes results that follow from the runs: 27 was faster than 8. */
function describe(change: object = {}): OfficialResults {
  const parsed = officialResultsSchema.parse({
    kind: 'pitboard-event-results-1',
    site: 'https://laps.example.org',
    event: {
      id: id(9),
      name: 'Spring Sprint',
      firstDay: '2026-06-06',
      lastDay: '2026-06-06',
      courses: [{ number: 1, trackId: 'lydden-hill', name: 'Lydden Hill' }],
    },
    settings: {
      firstRuns: null,
      countedRuns: 1,
      conePenaltyMs: 2_000,
      gatePenaltyMs: 10_000,
      tieRule: 'shared',
      takesLaps: false,
      protestMinutes: 30,
    },
    classes: [{ id: id(0), name: 'Street', indexFactor: null }],
    entries: [entry(1, '27'), entry(2, '8')],
    runs: [run(1, 64_000), run(2, 65_000)],
    results: { classes: [], overall: null },
    officialAt: null,
    signature: null,
    ...change,
  });
  const { settings, event, classes, entries, runs } = parsed;
  return { ...parsed, ...rankRuns({ ...settings, courses: event.courses, classes }, entries, runs) };
}

const sign = (results: OfficialResults, signer = server): OfficialResults =>
  parseOfficialResults(signResults(results, { signer, officialAt: new Date('2026-06-06T18:00:00Z') }));

test('signed results hold by the key of the server, and by no other', () => {
  const signed = sign(describe());
  expect(verifyResults(signed, given)).toMatchObject({ problems: [], unknowns: [] });
  expect(describeResults(verifyResults(signed, given)).people).toContain('It holds: ');
  expect(verifyResults(signed, {})).toMatchObject({ problems: [], unknowns: [expect.any(String)] });
  expect(verifyResults(sign(describe(), forger), given).problems).toEqual([
    expect.stringContaining('another key'),
  ]);
});

test('a lap file beside results is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'results.json');
  await writeFile(path, JSON.stringify(sign(describe())));
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  const refused = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  expect(verify([path, '--key', server.publicKey])).toBe(0);
  expect(verify([path, '--key', server.publicKey, '--file', path])).toBe(1);
  expect(printed).toHaveBeenCalledTimes(1);
  expect(refused).toHaveBeenCalledWith(expect.stringContaining('name no lap file'));
});

test.each([
  ['the number of an entry', { entries: [entry(1, '28'), entry(2, '8')] }],
  ['the moment', { officialAt: '2026-06-07T18:00:00.000Z' }],
  ['a field that it does not know', { driver: 'World Champion' }],
])('the signature covers %s', (_what, change) => {
  const { problems } = verifyResults({ ...sign(describe()), ...change }, given);
  expect(problems).toEqual([expect.stringContaining('The signature does not fit')]);
});

const swapPlaces = (results: OfficialResults): OfficialResults => ({
  ...results,
  results: {
    ...results.results,
    classes: results.results.classes.map(({ classId, rows: [first, second] }) => ({
      classId,
      rows: [first, second].flatMap((row, index) => (row ? [{ ...row, place: 2 - index }] : [])),
    })),
  },
});

test.each([
  ['places', swapPlaces(describe())],
  ['a missing overall ranking', { ...describe(), results: { ...describe().results, overall: null } }],
  [
    'a run that does not count',
    { ...describe(), runs: describe().runs.map((one) => ({ ...one, counts: false })) },
  ],
  [
    'a withdrawn entry',
    {
      ...describe(),
      entries: describe().entries.map((one) => ({ ...one, withdrawnAt: '2026-06-06T09:00:00.000Z' })),
    },
  ],
])(
  'results that do not follow from the runs do not hold, although the server signed them: %s',
  (_what, results) => {
    expect(verifyResults(sign(results), given).problems).toEqual([
      expect.stringContaining('do not follow from the runs'),
    ]);
  },
);

test('no invisible character of results reaches the terminal, and none of their lines is one of ours', () => {
  const commands = '\u001b[2J\nIt holds: really\r\u009b2J\u202e\u2028';
  const { event } = describe();
  const hostile = describe({
    site: `https://${commands}`,
    event: { ...event, name: commands },
    classes: [{ id: id(0), name: commands, indexFactor: null }],
    entries: [entry(1, commands), entry(2, commands)],
  });
  const { people } = describeResults(verifyResults(sign(hostile, forger), given));
  for (const line of people.split('\n')) {
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(line).not.toMatch(/^It holds/);
  }
});
