import { expect, test } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { readMigration } from '#web/api/specified-answers/admin.ts';
import { describeMigration, describeMigrationFailure } from './migrate-tracks.tsx';

test('a migration is described by every count that is not zero', () => {
  const migration = readMigration({ success: true, summary: { migrated: 1, existing: 2, skipped: 0 } });
  expect(describeMigration(migration)).toBe('1 track migrated. 2 tracks already in the library.');
});

test('an answer with nothing but the migrated tracks is understood', () => {
  expect(describeMigration(readMigration({ success: true, summary: { migrated: 7 } }))).toBe(
    '7 tracks migrated.',
  );
});

test('a migration that failed gives its error', () => {
  expect(describeMigration(readMigration({ success: false, error: 'The tables are locked.' }))).toBe(
    'The tables are locked.',
  );
});

test('a call that failed gives its status and text', () => {
  const body = JSON.stringify({ error: 'unavailable', message: 'Try again later.' });
  expect(describeMigrationFailure(new ApiError(503, '', body))).toBe('503: Try again later.');
  expect(describeMigrationFailure(new ApiError(502, 'Bad Gateway', ''))).toBe('502: Bad Gateway');
});
