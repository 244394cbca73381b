/** Describes a source of random numbers that repeats itself for the same seed. */
export type Random = {
  /** Returns a number evenly spread over 0 up to (not including) 1. */
  uniform(): number;
  /** Returns a normally distributed number, mean 0, standard deviation 1. */
  normal(): number;
};

/** Returns the generator SFC32 by Chris Doty-Humphrey, seeded with one number. */
export function seededRandom(seed: number): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  const next = (): number => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    c |= 0;
    return (result >>> 0) / 2 ** 32;
  };
  // The first numbers after seeding are alike for seeds that are alike.
  for (let round = 0; round < 16; round += 1) next();
  return { uniform: next, normal: () => boxMuller(next) };
}

function boxMuller(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
