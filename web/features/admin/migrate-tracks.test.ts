import { expect, test } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { describeMigration, describeMigrationFailure } from './migrate-tracks.tsx';

const NOTHING = { migrated: 0, existing: 0, skipped: 0 };

test('a migration is described by every count that is not zero', () => {
  const describe = (summary: typeof NOTHING) => describeMigration({ success: true, summary, warnings: [] });
  expect(describe({ migrated: 1, existing: 2, skipped: 0 })).toBe(
    '1 track migrated. 2 tracks already in the library.',
  );
  expect(describe({ ...NOTHING, migrated: 7 })).toBe('7 tracks migrated.');
});

test('a migration that failed gives its error', () => {
  expect(
    describeMigration({ success: false, summary: NOTHING, warnings: [], error: 'The tables are locked.' }),
  ).toBe('The tables are locked.');
});

test('a call that failed gives its status and text', () => {
  const body = JSON.stringify({ error: 'unavailable', message: 'Try again later.' });
  expect(describeMigrationFailure(new ApiError(503, '', body))).toBe('503: Try again later.');
  expect(describeMigrationFailure(new ApiError(502, 'Bad Gateway', ''))).toBe('502: Bad Gateway');
});
