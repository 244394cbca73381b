import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { watchDiskSpace } from './disk-space.ts';

test('a disk that cannot be measured is reported once, and measured again', async () => {
  const folder = await fs.mkdtemp(join(tmpdir(), 'pitboard-disk-'));
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const diskSpace = await watchDiskSpace(folder);
  diskSpace.report(log);
  const measured = vi.spyOn(fs, 'statfs').mockRejectedValue(new Error('The disk does not answer.'));
  syncBuiltinESMExports();
  try {
    for (let calls = 0; calls < 2; calls++)
      await expect(diskSpace.hasRoomFor(1)).rejects.toThrow('The disk does not answer.');
    expect(lines.filter((line) => line.includes('cannot be measured'))).toHaveLength(1);
  } finally {
    measured.mockRestore();
    syncBuiltinESMExports();
  }
  expect(await diskSpace.hasRoomFor(1)).toBe(true);
  await diskSpace.stop();
  await fs.rm(folder, { recursive: true });
});
