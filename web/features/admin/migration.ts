import { ApiError, sentenceOf } from '#web/api/api-error.ts';
import type { Answer } from '#web/api/call-api.ts';
import { counted } from './counted.ts';

type Answered = Answer<'POST /api/apex/migrate-to-main'>;

/** The answer to a migration as any server may give it. */
export type MigrationAnswer = Pick<Answered, 'success' | 'error'> & {
  summary?: Partial<Answered['summary']>;
  warnings?: readonly string[];
};

/** What a migration came to; counts are null where the server does not tell them. */
export type Migration = {
  success: boolean;
  migrated: number | null;
  existing: number | null;
  skipped: number | null;
  warnings: readonly string[];
  error: string | null;
};

/** Reads the answer to a migration. */
export function readMigration({ success, summary, warnings, error }: MigrationAnswer): Migration {
  return {
    success,
    migrated: summary?.migrated ?? null,
    existing: summary?.existing ?? null,
    skipped: summary?.skipped ?? null,
    warnings: warnings ?? [],
    error: error ?? null,
  };
}

/** A migration in a sentence or two. */
export function describeMigration(migration: Migration): string {
  const { success, migrated, existing, skipped, error } = migration;
  if (!success) return error ?? 'The tracks could not be migrated.';
  const sentences = [`${counted(migrated ?? 0, 'track')} migrated.`];
  if (existing) sentences.push(`${counted(existing, 'track')} already in the library.`);
  if (skipped) sentences.push(`${counted(skipped, 'track')} skipped.`);
  return sentences.join(' ');
}

/** The server's status and what it says. */
export function describeMigrationFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return sentenceOf(error);
  return `${error.status}: ${sentenceOf(error, error.message.slice(`${error.status}: `.length))}`;
}
