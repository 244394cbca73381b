import { expect, test } from 'vitest';
import { cleanName, VISIBLE_NAME } from './names.ts';

test.each([
  ['an override of the direction', 'Ana \u202eiL', 'Ana iL'],
  ['a byte order mark', '\ufeffAna', 'Ana'],
  ['a space of no width', 'An\u200ba', 'Ana'],
  ['isolates', '\u2066Ana\u2069', 'Ana'],
  ['a line break', 'Ana\r\nLi', 'Ana Li'],
  ['an escape', 'Ana\u001b[2J', 'Ana [2J'],
  ['fillers of Hangul', '\u3164Ana\u3164', 'Ana'],
  ['a line separator', 'Ana\u2028Li', 'Ana Li'],
  ['tags', 'Ana\u{e0041}', 'Ana'],
])(
  'a name with %s is refused where it is typed, and cleaned where a program gives it',
  (_what, name, clean) => {
    expect(VISIBLE_NAME.test(name)).toBe(false);
    expect(cleanName(name)).toBe(clean);
    expect(VISIBLE_NAME.test(clean)).toBe(true);
  },
);

test.each(['Zoë O\u2019Neill', '張偉', 'श्री\u200dराम', '👩\u200d🚗 Team', 'Dr. X-2 / A+'])(
  'the name %s stays as it is',
  (name) => {
    expect(VISIBLE_NAME.test(name)).toBe(true);
    expect(cleanName(name)).toBe(name);
  },
);

test('a name of which nothing is visible becomes empty', () => {
  for (const name of ['\u200b', '\u200d\u200d', ' \u202e ', '\u2800']) expect(cleanName(name)).toBe('');
});
