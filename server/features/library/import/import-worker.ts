import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  adminEndpoints,
  type CarPreview,
  type ParsedApexTrack,
  UPDATABLE_FIELDS,
} from '#contract/library/schemas.ts';
import { decodeText, toByteText } from '#engine/formats/text/text-encoding.ts';
import { toNewTrack } from '#server/model/tracks/library-track.ts';
import { parseApexFile, readApexTrack } from './parse-apex-file.ts';
import { readTrackDocument } from './read-track-document.ts';
import { readTrack } from './read-track.ts';
import { type StagedTrack, toStagedTrack } from '#server/model/tracks/staged-track.ts';
import { selectNewCars, type KnownCars, readCarCsv, readCars } from '#server/model/cars/car-csv.ts';
import { toLibraryCar } from '#server/model/cars/car-library.ts';
import { parseInput } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import type {
  CheckCarsTask,
  CheckedApexTracks,
  CheckedCars,
  CheckedTrack,
  ImportResult,
  KnownCarsText,
  PreviewCarsTask,
  SortOutSetTask,
} from './import-tasks.ts';
import { type NewTracks, sortOutSet } from '../track-sets/sort-out-set.ts';
import {
  type PublishedRows,
  sortOutPublishedSet,
  type SortOutPublishedTask,
} from '../track-sets/sort-out-published-set.ts';
import { workInBackground } from '#server/kernel/workers/work-in-background.ts';

// This module runs in a worker thread, so a large file blocks only this thread. Answers that go to the browser unchanged are
// returned as bytes of JSON.
workInBackground();

type Json = Uint8Array;

export async function parseTracks({ path }: { path: string }): Promise<ImportResult<Json>> {
  return await answering(async () => toJson(readTrackDocument(await readText(path))));
}

export async function sortOutTrackSet({
  path,
  library,
  counts,
}: SortOutSetTask): Promise<ImportResult<NewTracks>> {
  return await answering(() => sortOutSet(path, library, (done, total) => counts.set([done, total])));
}

export async function sortOutPublished({
  counts,
  ...task
}: SortOutPublishedTask & { counts: Int32Array }): Promise<ImportResult<PublishedRows>> {
  return await answering(() => sortOutPublishedSet(task, (done, total) => counts.set([done, total])));
}

export async function checkTracks({ body }: { body: Uint8Array }): Promise<ImportResult<CheckedTrack[]>> {
  return await answering(() => readTracks(body).map((track, index) => checkTrack(track, index + 1)));
}

export async function parseApex({ path }: { path: string }): Promise<ImportResult<Json>> {
  return await answering(async () =>
    toJson({ tracks: parseApexFile(parseJson(await readText(path), NOT_A_FILE)) }),
  );
}

export async function checkApex({ body }: { body: Uint8Array }): Promise<ImportResult<CheckedApexTracks>> {
  return await answering(() =>
    stage(readTracks(body).map((track, index) => readApexTrack(track, index + 1))),
  );
}

export async function previewCars({ path, known }: PreviewCarsTask): Promise<ImportResult<Json>> {
  return await answering(async () => {
    const { newCars, existing, problems } = selectNewCars(
      readCarCsv(await readText(path)),
      parseKnownCars(known),
    );
    const withProblems = new Set(problems.map(({ line }) => line)).size;
    const total = newCars.length + existing + withProblems;
    const preview: CarPreview = {
      summary: { total, new: newCars.length, existing, withProblems },
      newCars,
      problems,
    };
    return toJson(preview);
  });
}

export async function checkCars({ body, known }: CheckCarsTask): Promise<ImportResult<CheckedCars>> {
  return await answering(() => {
    const { cars } = parseInput(adminEndpoints.importCars.body, parseJson(decodeText(body), NOT_A_BODY));
    const { newCars, existing, problems } = selectNewCars(readCars(cars), parseKnownCars(known));
    return { pieces: inPieces(newCars.map(toLibraryCar)), newCount: newCars.length, existing, problems };
  });
}

async function answering<Value>(work: () => Value | Promise<Value>): Promise<ImportResult<Value>> {
  try {
    return { isReadable: true, value: await work() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message: sentence, fields } = error;
    return { isReadable: false, code, sentence, ...(fields && { fields }) };
  }
}

const NOT_A_FILE = 'This file is not valid JSON.';
const NOT_A_BODY = 'The body of the request is not valid JSON.';

async function readText(path: string): Promise<string> {
  return decodeText(toByteText(await readFile(path)));
}

function parseJson(text: string, sentence: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_input', sentence, { cause });
  }
}

function toJson(value: unknown): Json {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Reads the tracks of a request; both calls that take tracks have the same body. */
function readTracks(body: Uint8Array): unknown[] {
  return parseInput(adminEndpoints.createTracks.body, parseJson(decodeText(body), NOT_A_BODY)).tracks;
}

function checkTrack(value: unknown, row: number): CheckedTrack {
  const { problems, warnings: _warnings, row: _row, ...track } = readTrack(value, row);
  const { name, configuration, location, country, centerLat, centerLon } = track;
  const update = updateSchema.safeParse(value);
  const problem = joinProblems(problems) ?? (update.success ? null : 'update: This is no list of fields.');
  const definition = problem === null ? JSON.stringify(toNewTrack(track)) : null;
  const names = { name, configuration, location, country, centerLat, centerLon };
  return { row, ...names, problem, definition, update: update.data?.update ?? [] };
}

const updateSchema = z.object({
  update: z.array(z.enum(UPDATABLE_FIELDS)).max(UPDATABLE_FIELDS.length).optional(),
});

function joinProblems(problems: Record<string, string>): string | null {
  const entries = Object.entries(problems);
  return entries.length === 0 ? null : entries.map(([field, problem]) => `${field}: ${problem}`).join(' ');
}

/** Keeps the tracks that can be stored, each once, and lists why others cannot. */
function stage(parsed: readonly ParsedApexTrack[]): CheckedApexTracks {
  const staged = new Map<string, StagedTrack>();
  const warnings: string[] = [];
  for (const { row, problems, warnings: known, ...rest } of parsed) {
    const warn = (sentence: string) =>
      warnings.push(`Row ${row} (${rest.track.name ?? 'no name'}): ${sentence}`);
    known.forEach(warn);
    const problem = joinProblems(problems);
    const track = problem === null ? toStagedTrack(rest) : null;
    if (!track) warn(`It was left out. ${problem}`);
    else if (staged.has(track.key)) warn('It was left out, because an earlier row is the same track.');
    else staged.set(track.key, track);
  }
  const tracks = [...staged.values()];
  const trapCount = tracks.reduce((count, { traps }) => count + traps.length, 0);
  return { pieces: inPieces(tracks), trackCount: tracks.length, trapCount, warnings };
}

// The main thread reads a piece of this size and writes it to the database in a few milliseconds.
const ROWS_PER_PIECE = 500;

function inPieces(rows: readonly unknown[]): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_PIECE)
    pieces.push(JSON.stringify(rows.slice(start, start + ROWS_PER_PIECE)));
  return pieces;
}

function parseKnownCars(text: KnownCarsText): KnownCars {
  const keys = new Set<string>();
  const keysByNames = new Map<string, string>();
  for (const line of text === '' ? [] : text.split('\n')) {
    const [key = '', ...names] = line.split('\t');
    keys.add(key);
    keysByNames.set(names.join('\t'), key);
  }
  return { keys, keysByNames };
}
