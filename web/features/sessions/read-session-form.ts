import { isForBoards } from '#engine/timing/laps.ts';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import type { OwnSession, SessionChange } from './session-queries.ts';

/** The options of the select that decides who may see the lines of a session. */
export const LINES_CHOICES = {
  profile: { label: 'As in my profile', linesPrivate: null },
  shown: { label: 'Everybody', linesPrivate: false },
  private: { label: 'Only me', linesPrivate: true },
} as const;

type LinesChoice = keyof typeof LINES_CHOICES;

/** Returns the current option of a session. */
export function findLinesChoice({ linesPrivate }: Pick<OwnSession, 'linesPrivate'>): LinesChoice {
  if (linesPrivate === null) return 'profile';
  return linesPrivate ? 'private' : 'shown';
}

/** Lists the laps that count, or would count if they were not left out. */
export function listChoosableLaps({ laps }: Pick<OwnSession, 'laps'>): OwnSession['laps'] {
  return laps.filter((lap) => lap.isLeftOut || isForBoards(lap));
}

/** Reads the fields of a form that differ from the session; equal ones are not sent. */
export function readSessionForm(form: FormData, session: OwnSession): SessionChange {
  const change: SessionChange = {};
  const userCarId = readText(form, 'userCarId');
  if (userCarId !== '' && userCarId !== session.userCarId) change.userCarId = userCarId;
  const tireCompound = TIRE_COMPOUNDS.find((compound) => compound === readText(form, 'tireCompound'));
  if (tireCompound && tireCompound !== session.tireCompound) change.tireCompound = tireCompound;
  const videoUrl = readText(form, 'videoUrl') || null;
  if (videoUrl !== session.videoUrl) change.videoUrl = videoUrl;
  const lines = Object.entries(LINES_CHOICES).find(([choice]) => choice === readText(form, 'lines'))?.[1];
  if (lines && lines.linesPrivate !== session.linesPrivate) change.linesPrivate = lines.linesPrivate;
  const counted = new Set(form.getAll('laps'));
  const laps = listChoosableLaps(session)
    .map(({ lapId, isLeftOut }) => ({ lapId, isLeftOut: !counted.has(lapId), wasLeftOut: isLeftOut }))
    .filter(({ isLeftOut, wasLeftOut }) => isLeftOut !== wasLeftOut)
    .map(({ lapId, isLeftOut }) => ({ lapId, isLeftOut }));
  if (laps.length > 0) change.laps = laps;
  return change;
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
