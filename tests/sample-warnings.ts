import { readFileSync } from 'node:fs';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { buildTrackIndex } from '#engine/matching/match-tracks.ts';
import { proposeTracks } from '#engine/proposal/propose-tracks.ts';
import { openLapFile, suggestTracks, timeLaps, timeOnOwnLine } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import { isRanking, type Lap, type LapReason } from '#engine/timing/laps.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { lineThrough, listLapSamples, type LapSample } from './lap-samples.ts';
import { LIBRARY } from './library.ts';

/** Lists the ranking laps of one recording, and those of them that carry each warning, by their numbers. */
export type SampleWarnings = { name: string; laps: number; warned: Map<LapReason, number[]> };

/** These warnings state what is missing in a file or on a map, which is true, and doubt no lap. */
const STATEMENTS: readonly LapReason[] = ['gap_in_data', 'off_track', 'slow_for_track', 'timed_by_logger'];

/** Lists the warnings of every recording in a folder that has ranking laps. */
export function listSampleWarnings(folder: string): SampleWarnings[] {
  const index = buildTrackIndex(LIBRARY);
  return listLapSamples(folder).flatMap((sample) => {
    const laps = timeSample(sample, index).filter(isRanking);
    if (laps.length === 0) return [];
    const warned = new Map<LapReason, number[]>();
    for (const { number, reasons } of laps) {
      for (const reason of reasons) warned.set(reason, [...(warned.get(reason) ?? []), number]);
    }
    return [{ name: sample.name, laps: laps.length, warned }];
  });
}

/** Returns how many laps of a recording are doubted by a warning. */
export function countDoubted({ warned }: SampleWarnings): number {
  const doubts = [...warned].filter(([reason]) => !STATEMENTS.includes(reason));
  return new Set(doubts.flatMap(([, laps]) => laps)).size;
}

/** Times a recording on the line of its device, else on the track of the library or the proposed one, else on the logger's own laps. */
function timeSample({ path, truth }: LapSample, index: ReturnType<typeof buildTrackIndex>): Lap[] {
  const file = open(path);
  if (file === null) return [];
  if (truth?.startFinish) return timeOver(file, undirectedLine(...truth.startFinish));
  if (truth?.startFinishPoint) return timeOver(file, lineThrough(truth.startFinishPoint, file));
  const known = [...suggestTracks(file, index).slice(0, 1), ...proposeTracks(file).slice(0, 1)];
  const timed = known.find((one) => one.timed.laps.some(isRanking))?.timed;
  return (timed ?? timeOnOwnLine(file)).laps;
}

function timeOver(file: OpenedLapFile, line: ReturnType<typeof undirectedLine>): Lap[] {
  return timeLaps(file, { ...trackFromLine(line), id: 'sample', radiusMeters: 5000 }).laps;
}

function open(path: string): OpenedLapFile | null {
  try {
    return openLapFile(readFileSync(path), inflateLapFile);
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return null;
    throw error;
  }
}
