import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import type { Track } from '#engine/track.ts';
import type { Pitboard } from '../pitboard.ts';

const runningSchema = z.object({ connectionString: z.string() });

const ORIGIN = {
  set: 'open-racetrack-db',
  title: 'Open Racetrack Database',
  sourceUrl: 'https://github.com/markthebault/open-racetrack-db',
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
};

/** Adds a course without a start line, as a fetched set brings it: closed, begun anywhere, against the direction of the drive. */
export async function insertCourse({ dataFolder }: Pitboard, name: string, track: Track): Promise<void> {
  const points = track.outline ?? [];
  const begun = [...points.slice(17), ...points.slice(0, 17)];
  const outline = [...begun, ...begun.slice(0, 1)].toReversed();
  await query(
    dataFolder,
    `INSERT INTO courses (set_name, name, country, length_meters, center_lat, center_lon, radius_meters, outline, origin)
    VALUES ($1, $2, 'Italy', 870, $3, $4, 480, $5, $6)`,
    [ORIGIN.set, name, track.centerLat, track.centerLon, JSON.stringify(outline), JSON.stringify(ORIGIN)],
  );
}

export async function removeCourses({ dataFolder }: Pitboard): Promise<void> {
  await query(dataFolder, 'DELETE FROM courses', []);
}

async function query(dataFolder: string, text: string, values: unknown[]): Promise<void> {
  const running: unknown = JSON.parse(await readFile(join(dataFolder, 'running.json'), 'utf8'));
  const client = new Client({ connectionString: runningSchema.parse(running).connectionString });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}
