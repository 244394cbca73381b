import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { driveSession } from './drive-session.ts';
import type { DemoSession } from './season.ts';
import type { Track } from '#engine/track.ts';
import { workInBackground } from '#server/kernel/workers/work-in-background.ts';

// This module runs in a worker thread: driving a season takes some seconds of processor time.
workInBackground();

export type DriveTask = { track: Track; session: DemoSession; path: string };

/** An upload needs the hash and the size of a file. */
export type DrivenFile = { sha256: string; byteCount: number };

/** Holds the tracks that were driven, since a track has one racing line however many tasks name it. */
const tracks = new Map<string, Track>();

/** Drives a session of the demo season and writes its lap file to `path`. */
export async function writeLapFile({ track, session, path }: DriveTask): Promise<DrivenFile> {
  const known = tracks.get(track.id) ?? track;
  tracks.set(track.id, known);
  const bytes = Buffer.from(driveSession(known, session));
  await writeFile(path, bytes, { flag: 'wx' });
  return { sha256: createHash('sha256').update(bytes).digest('hex'), byteCount: bytes.length };
}
