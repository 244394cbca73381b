import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { projectFolder } from './project-folder.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(join(projectFolder, name), 'utf8'));

test('every package that the server needs is installed without development packages, as in its container', () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(read('package.json'));
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(read('package-lock.json'));
  const names = Object.keys(dependencies);
  expect(names.length).toBeGreaterThan(20);
  // A package that is among the development packages too counts as one of them.
  expect(names.filter((name) => packages[`node_modules/${name}`]?.dev !== undefined)).toEqual([]);
});
