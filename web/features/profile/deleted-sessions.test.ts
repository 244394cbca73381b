import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionIdSchema } from '#contract/ids.ts';
import { connectToaster, hideToast, showToast, type Toast } from '#web/ui/toasts.ts';
import { showDeleted } from './deleted-sessions.ts';

const SPA = {
  id: sessionIdSchema.parse('6f1f3a52-58b9-4a53-9c1e-0d2f35f1a001'),
  description: 'Spa, Jan 2, 2026',
};
const MONZA = {
  id: sessionIdSchema.parse('6f1f3a52-58b9-4a53-9c1e-0d2f35f1a002'),
  description: 'Monza, Jan 3, 2026',
};

let toast: Toast | null;
let restored: readonly unknown[];
let disconnect: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  toast = null;
  restored = [];
  disconnect = connectToaster({ show: (next) => (toast = next), hide: () => (toast = null) });
});

afterEach(() => {
  hideToast();
  disconnect();
  vi.useRealTimers();
});

const remove = (session: typeof SPA) =>
  showDeleted(session, (sessions) => (restored = sessions.map(({ id }) => id)));

test('a deleted session can be undone for a minute', () => {
  remove(SPA);
  expect(toast).toMatchObject({ title: 'Session Deleted', description: 'Spa, Jan 2, 2026' });
  expect(toast?.undo).toMatchObject({ seconds: 60 });
  expect(toast?.undo?.label).toBeUndefined();
  toast?.undo?.run();
  expect(restored).toEqual([SPA.id]);
});

test('a second deletion within the minute is undone together with the first', () => {
  remove(SPA);
  vi.advanceTimersByTime(20_000);
  remove(MONZA);
  expect(toast).toMatchObject({ title: 'Sessions Deleted', description: '2 sessions' });
  expect(toast?.undo).toMatchObject({ label: 'Undo All', seconds: 60 });
  toast?.undo?.run();
  expect(restored).toEqual([SPA.id, MONZA.id]);
});

test('a session whose minute is over leaves the others to be undone', () => {
  remove(SPA);
  vi.advanceTimersByTime(20_000);
  remove(MONZA);
  vi.advanceTimersByTime(40_000);
  expect(toast).toMatchObject({ title: 'Session Deleted', description: 'Monza, Jan 3, 2026' });
  expect(toast?.undo).toMatchObject({ seconds: 20 });
  toast?.undo?.run();
  expect(restored).toEqual([MONZA.id]);
});

test('a deletion whose toast was closed or replaced is not undone with the next one', () => {
  remove(SPA);
  hideToast();
  remove(MONZA);
  expect(toast).toMatchObject({ title: 'Session Deleted', description: 'Monza, Jan 3, 2026' });
  showToast({ title: 'Car Added' });
  vi.advanceTimersByTime(60_000);
  expect(toast).toEqual({ title: 'Car Added' });
});
