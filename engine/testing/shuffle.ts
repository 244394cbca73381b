import type { Random } from '../simulation/random.ts';

/** Returns the same items in random order. */
export function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const keyed = items.map((item) => ({ item, key: random.uniform() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}
