import type { CarProblem, NewCar as ContractCar } from '#contract/admin.ts';
import { formatCount, pluralize } from '#web/ui/format.ts';

/** A car as any server may give it; everything told is sent back. */
export type NewCar = Partial<ContractCar>;

/** How many new cars the preview shows. */
export const SHOWN_CARS_MAX = 50;

/** The answer to a file of cars as any server may give it. */
export type CarPreviewAnswer = {
  summary: { total: number; new: number; existing: number; withProblems?: number };
  newCars?: readonly NewCar[];
  problems?: readonly CarProblem[];
};

/** What a file of cars would change in the library. */
export type CarPreview = {
  summary: { total: number; new: number; existing: number; withProblems: number };
  newCars: readonly NewCar[];
  problems: readonly string[];
};

/** Reads the answer to a file of cars. */
export function readCarPreview({ summary, newCars, problems }: CarPreviewAnswer): CarPreview {
  return {
    summary: { ...summary, withProblems: summary.withProblems ?? problems?.length ?? 0 },
    newCars: newCars ?? [],
    problems: (problems ?? []).map((problem) => describeProblem('Line', problem)),
  };
}

/** A file of cars in one sentence. */
export function describePreview({ summary }: CarPreview): string {
  return `${pluralize(summary.total, 'car')}: ${pluralize(summary.new, 'new car')}, ${formatCount(summary.existing)} existing.`;
}

/** The answer to an import of cars as any server may give it. */
export type CarImportAnswer = {
  imported: number;
  existing?: number;
  problems?: readonly CarProblem[];
};

export type CarImport = { imported: number; existing: number; problems: readonly string[] };

/** Reads the answer to an import of cars. */
export function readCarImport({ imported, existing, problems }: CarImportAnswer): CarImport {
  return {
    imported,
    existing: existing ?? 0,
    problems: (problems ?? []).map((problem) => describeProblem('Car', problem)),
  };
}

/** An import of cars in a sentence or two. */
export function describeCarImport({ imported, existing, problems }: CarImport): string {
  const sentences = [`${pluralize(imported, 'car')} added to the library.`];
  if (existing > 0) sentences.push(`${pluralize(existing, 'car')} already there.`);
  if (problems.length > 0) sentences.push(`${pluralize(problems.length, 'problem')}.`);
  return sentences.join(' ');
}

function describeProblem(place: 'Line' | 'Car', { line, field, message }: CarProblem): string {
  return `${place} ${formatCount(line)}${field ? `, ${field}` : ''}: ${message}`;
}
