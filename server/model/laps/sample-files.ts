import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserId } from '#contract/ids.ts';
import { SAMPLE_LAP_FILES } from '#contract/upload/labels.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import type { LapFileIdentity, NewLap } from './lap-file-store.ts';

const SAMPLES_FOLDER = join(projectFolder, 'data', 'lap-files');

/** Reads a sample lap file; undefined where the project has none of that name. */
export async function readSample(fileName: string): Promise<Buffer | undefined> {
  const isShipped = SAMPLE_LAP_FILES.some((sample) => sample.fileName === fileName);
  return isShipped ? await readFile(join(SAMPLES_FOLDER, fileName)) : undefined;
}

let hashes: Promise<ReadonlySet<string>> | undefined;

/** Returns whether these are the bytes of a sample lap file, or its positions in another file. */
async function isSample({ sha256, positionsHash }: LapFileIdentity): Promise<boolean> {
  hashes ??= hashSamples();
  return (positionsHash !== null && POSITIONS_HASHES.has(positionsHash)) || (await hashes).has(sha256);
}

async function hashSamples(): Promise<ReadonlySet<string>> {
  const contents = await Promise.all(SAMPLE_LAP_FILES.map(({ fileName }) => readSample(fileName)));
  return new Set(
    contents.flatMap((content) =>
      content === undefined ? [] : createHash('sha256').update(content).digest('hex'),
    ),
  );
}

// Lists `hashPositions` of each sample, because a sample in another format, or with a changed byte, is no real lap.
const POSITIONS_HASHES: ReadonlySet<string> = new Set([
  '0jJ597HlLPSh55yArMVoRg',
  'awFUYsMR-xh-2fNNELyYaA',
  'DxmBOOxYRFwp_mKKFoSyZw',
  'L-K_A0QCGgnrxg5GSvQlYw',
  'OfD9SMhcLVqkebGCgZUVRQ',
  'q08Zx8IvTD29BRJKPJsUbw',
  '1SOYxEXxGQWOrHZW4HvSLA',
]);

/** Returns the key of a lap file: the hash of its bytes, to which a sample adds the driver, because every driver may store it once. */
export async function findLapFileKey(file: LapFileIdentity, userId: UserId): Promise<string> {
  return (await isSample(file)) ? `${file.sha256} of ${userId}` : file.sha256;
}

/** Marks the laps of a sample, which rank with no others. Without hashes of their positions they are no copies of each other. */
export function markSample(laps: readonly NewLap[]): NewLap[] {
  return laps.map((lap) => ({
    ...lap,
    status: isRanking(lap) ? 'simulated' : lap.status,
    reasons: [...lap.reasons, 'sample'],
    positionsHash: null,
  }));
}
