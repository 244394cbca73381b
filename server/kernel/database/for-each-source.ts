import type { Source } from './database.ts';

/** Makes a thing for each source when it is first asked for, and gives that same one from then on. */
export function forEachSource<Thing>(make: (source: Source) => Thing): (source: Source) => Thing {
  const things = new WeakMap<Source['pool'], Thing>();
  return (source) => {
    const known = things.get(source.pool);
    if (known !== undefined) return known;
    const made = make(source);
    things.set(source.pool, made);
    return made;
  };
}
