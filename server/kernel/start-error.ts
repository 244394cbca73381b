/** Pitboard cannot start, or cannot go on; the message is a sentence for the person who started it. */
export class StartError extends Error {
  override name = 'StartError';
}
