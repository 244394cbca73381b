import { StartError } from '#server/kernel/errors.ts';

/** Lets the process go on when its terminal, or whatever read its output, has gone: what is written then is dropped. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends the process. An expected problem prints its sentence; anything else is a bug and prints where it happened. */
export function fail(error: unknown): never {
  const isExpected = error instanceof StartError;
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
