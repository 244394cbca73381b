import type { Page } from '@playwright/test';
import { HARBOUR, standInWorld } from './stand-in-world.ts';

// Some names and cars take two lines on a phone, so that rows are not all as tall.
const NAMES = ['Ada Brook', 'Maximiliane Oberhauser-Lindenthal', 'Jo', 'Christopher Featherstonehaugh III'];

/** Answers boards of `recordCount` drivers, a page at a time as our own server does. */
export async function serveLongBoard(page: Page, recordCount: number): Promise<void> {
  const [record] = standInWorld().recordsByTrack[HARBOUR] ?? [];
  const records = Array.from({ length: recordCount }, (_, index) => ({
    ...record,
    lapId: `session.${index}`,
    driverId: `driver-${index}`,
    userName: `${NAMES[index % NAMES.length]} ${index + 1}`,
    lapTimeMs: 60_000 + index,
    rank: index + 1,
    gapMs: index,
  }));
  await page.route(/\/best\?/, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const offset = Number(query.get('offset') ?? 0);
    return route.fulfill({ json: records.slice(offset, offset + Number(query.get('limit'))) });
  });
}
