/** Pauses between attempts; the last one repeats. A receiver that was switched off and on needs a few seconds. */
const PAUSES_MS = [300, 700, 1_500, 3_000];

/** Attempts something until it succeeds or `isWanted` says no; returns whether it succeeded. */
export async function untilDone(work: () => Promise<void>, isWanted: () => boolean): Promise<boolean> {
  for (let attempt = 0; isWanted(); attempt += 1) {
    try {
      await work();
      return true;
    } catch {
      // The receiver is still away.
      await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[attempt] ?? PAUSES_MS.at(-1)));
    }
  }
  return false;
}
