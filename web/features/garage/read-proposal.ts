import { CAR_NAMES, type CarNames } from '#web/api/car-queries.ts';
import type { CarProposal } from './garage-queries.ts';

export const NO_NAMES: CarNames = { make: '', modelFamily: '', variant: '', generation: '' };

/** Reads the proposal; without make, model or variant it returns the missing fields, each with a sentence. */
export function readProposal(
  form: FormData,
  names: CarNames,
): { proposal: CarProposal | null; missing: Record<string, string> } {
  const missing = CAR_NAMES.filter((name) => name !== 'generation' && names[name].trim() === '');
  if (missing.length > 0) {
    return { proposal: null, missing: Object.fromEntries(missing.map((name) => [name, 'This is needed.'])) };
  }
  const { make, modelFamily, variant, generation } = names;
  const proposal = {
    make: make.trim(),
    modelFamily: modelFamily.trim(),
    variant: variant.trim(),
    generation: generation.trim() || null,
    years: readText(form, 'years'),
    drivetrain: readText(form, 'drivetrain'),
    raceClass: readText(form, 'raceClass'),
  };
  return { proposal, missing: {} };
}

function readText(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() || null : null;
}
