import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { destination, multistream, pino, stdSerializers, type Logger } from 'pino';
import { z } from 'zod';

export type LoggingOptions = {
  level: string;
  /** Write to a file in this folder and only errors to the terminal; null: write everything to standard output. */
  folder: string | null;
};

const LOG_FILE = 'pitboard.log';
const LOG_BYTES_MAX = 20_000_000;

/**
 * Makes the structured log: one JSON object a line, requests with their id. On somebody's own computer it goes to a
 * file, so that the terminal stays readable; a server with a database elsewhere writes it to standard output, where
 * whoever runs it collects it.
 */
export async function openLog({ level, folder }: LoggingOptions): Promise<Logger> {
  const options = { level, serializers: { err: stdSerializers.err, req: describeRequest } };
  if (folder === null) return pino(options, destination({ dest: 1, sync: true }));
  const file = join(folder, LOG_FILE);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rename(file, `${file}.1`);
  const toFile = { level: 'trace', stream: destination({ dest: file, sync: true, mode: 0o600 }) } as const;
  const toTerminal = { level: 'error', stream: { write: (line: string) => warnReader(line, file) } } as const;
  return pino(options, multistream([toFile, toTerminal]));
}

// The query is left out: a sign-in's answer comes in one.
const requestSchema = z.object({ method: z.string(), url: z.string(), ip: z.string() });

function describeRequest(request: unknown): unknown {
  const parsed = requestSchema.safeParse(request);
  if (!parsed.success) return undefined;
  const { method, url, ip } = parsed.data;
  return { method, path: url.split('?', 1)[0], remoteAddress: ip };
}

const entrySchema = z.object({ msg: z.string().default(''), reqId: z.string().optional() });

function warnReader(line: string, file: string): void {
  const { msg, reqId } = entrySchema.parse(JSON.parse(line));
  process.stderr.write(`Error: ${msg}${reqId ? ` (request ${reqId})` : ''}. Details: ${file}\n`);
}
