import type { TrackId } from '#contract/ids.ts';
import { NO_TRACK_OF_SIMULATOR } from '#engine/formats/simulators.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { findNearbyTracks, type LayoutRelation } from '#engine/proposal/compare-layouts.ts';
import { courseOfLaps, type Course } from '#engine/proposal/course-of-laps.ts';
import { proposeTracks, type LineSource } from '#engine/proposal/propose-tracks.ts';
import { openLapFile, timeLaps, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import type { Track } from '#engine/track.ts';
import type { TrackLines } from './edit-lines.ts';
import { inflateInBrowser } from './inflate-in-browser.ts';

/** A draft of a track, and the laps of the files on it. */
export type DraftTrack = {
  track: Track;
  /** The index of the file that shows the track, and the number of its laps. */
  fileIndex: number;
  fileLapCount: number;
  /** The times of the ranking laps in all files. */
  lapTimesMs: number[];
  bestLapTimeMs: number | null;
  /** The uncertainty of the best lap. */
  uncertaintyMs: number | null;
  /** Null for lines that the driver has moved. */
  lineSource: LineSource | null;
};

/** The drafts that lap files show, the best first; a sentence if they show no track. */
export type ShownDrafts = { drafts: DraftTrack[] } | { sentence: string };

/** A track of the library, as the engine takes it. */
export type KnownTrack = Track & { id: TrackId };

/** The relation of known tracks to a draft, with the most similar ones first. */
export type RelatedTrack = { trackId: TrackId; relation: LayoutRelation | null };

/** The line that is proposed on a known course. */
export type CourseLine = { startFinishLine: TimingLine; lineSource: LineSource };

export type TrackRequest =
  | { type: 'open'; files: readonly File[]; course: CourseLine | null }
  | { type: 'time'; lines: TrackLines }
  | { type: 'compare'; draft: Track; tracks: readonly KnownTrack[] };

export type TrackAnswer = ShownDrafts | { draft: DraftTrack | null } | { related: RelatedTrack[] };

/** Requests are answered one after the other, each with its number. */
export type Numbered<Message> = { number: number; message: Message };

const NO_TRACK = 'Nothing in this drive repeats at racing speed, so we cannot tell where its track is.';

/** The file that shows the track, and the others. */
let opened: { file: OpenedLapFile; fileIndex: number; others: OpenedLapFile[] } | null = null;
let work: Promise<void> = Promise.resolve();

const UNREADABLE = 'The file could not be read. Please choose it again.';

// Runs in a worker, so that the page stays quick while laps are timed again.
addEventListener('message', ({ data }: MessageEvent<Numbered<TrackRequest>>) => {
  const before = work;
  work = answerAfter(before, data);
});

async function answerAfter(
  before: Promise<void>,
  { number, message }: Numbered<TrackRequest>,
): Promise<void> {
  await before;
  const answer = await answerTo(message).catch((): TrackAnswer => ({ sentence: UNREADABLE }));
  const numbered: Numbered<TrackAnswer> = { number, message: answer };
  postMessage(numbered, { transfer: [] });
}

async function answerTo(request: TrackRequest): Promise<TrackAnswer> {
  if (request.type === 'open') return await open(request.files, request.course);
  if (request.type === 'compare') {
    const related = findNearbyTracks(request.draft, request.tracks);
    return { related: related.map(({ track, relation }) => ({ trackId: track.id, relation })) };
  }
  const { startFinishLine, finishLine, sectors } = request.lines;
  const course = opened && courseOfLaps(opened.file, { startFinishLine, finishLine, sectors: [...sectors] });
  const [draft = null] = course ? toDraft({ ...course, lineSource: null }) : [];
  return { draft };
}

/** Opens the first file in which a track is found; the laps of the other files are counted. Without any, the first file says why. */
async function open(files: readonly File[], course: CourseLine | null): Promise<ShownDrafts> {
  opened = null;
  const others: OpenedLapFile[] = [];
  let proposals: readonly Proposal[] = [];
  let sentence: string | null = null;
  for (const [fileIndex, file] of files.entries()) {
    const read = await readFile(file);
    if (typeof read === 'string' || read.isSimulated) {
      sentence ??= typeof read === 'string' ? read : NO_TRACK_OF_SIMULATOR;
      continue;
    }
    if (opened === null) proposals = propose(read, course);
    if (opened === null && proposals.length > 0) opened = { file: read, fileIndex, others };
    else others.push(read);
    sentence ??= NO_TRACK;
  }
  return proposals.length > 0 ? { drafts: proposals.flatMap(toDraft) } : { sentence: sentence ?? NO_TRACK };
}

type Proposal = Course & { lineSource: LineSource | null };

/** Returns the track of a known course where laps cross its line, else those that the drive suggests. */
function propose(file: OpenedLapFile, line: CourseLine | null): readonly Proposal[] {
  const course =
    line && courseOfLaps(file, { startFinishLine: line.startFinishLine, finishLine: null, sectors: null });
  return course ? [{ ...course, lineSource: line.lineSource }] : proposeTracks(file);
}

/** Opens a lap file; returns a sentence if it cannot be read. */
async function readFile(file: File): Promise<OpenedLapFile | string> {
  try {
    return openLapFile(new Uint8Array(await file.arrayBuffer()), inflateInBrowser);
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return error.message;
    return UNREADABLE;
  }
}

function toDraft({ track, timed, lineSource }: Proposal): DraftTrack[] {
  if (opened === null) return [];
  const { fileIndex } = opened;
  const own = timed.laps.filter(isRanking);
  const others = opened.others.flatMap((file) => timeLaps(file, track).laps.filter(isRanking));
  const laps = [...own, ...others];
  const best = laps.toSorted((one, other) => one.lapTimeMs - other.lapTimeMs)[0] ?? null;
  return [
    {
      track,
      fileIndex,
      fileLapCount: own.length,
      lapTimesMs: laps.map((lap) => lap.lapTimeMs),
      bestLapTimeMs: best && best.lapTimeMs,
      uncertaintyMs: best && best.uncertaintyMs,
      lineSource,
    },
  ];
}
