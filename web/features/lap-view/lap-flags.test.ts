import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OpenFlag } from './lap-flags.tsx';

test('a flag says that the lap ranks only where it does', () => {
  const flag = { reason: 'time', sentence: 'So fast.', flaggedAt: '2026-06-01T10:00:00Z' } as const;
  const show = (ranks: boolean) => renderToStaticMarkup(createElement(OpenFlag, { flag, ranks }));
  expect(show(true)).toContain('A moderator will look at it; until then the lap ranks. Only you');
  expect(show(false)).toContain('A moderator will look at it. Only you');
});
