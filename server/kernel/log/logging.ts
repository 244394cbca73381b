import { join } from 'node:path';
import { multistream, pino, type Logger } from 'pino';
import { z } from 'zod';
import { describeError } from './describe-error.ts';
import { openLogDescriptor, openLogFile } from './log-file.ts';

export type LoggingOptions = {
  level: string;
  /** Write to a file in this folder and only errors to the terminal; null: write everything to standard output. */
  folder: string | null;
};

const LOG_FILE = 'pitboard.log';
const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

/**
 * Makes the structured log: one JSON object a line, requests with their id. On somebody's own computer it goes to a
 * file, so that the terminal stays readable; a server with a database elsewhere writes it to standard output, where
 * the platform collects it.
 */
export function openLog({ level, folder }: LoggingOptions): Logger {
  const options = { level, serializers: { err: describeError, req: describeRequest } };
  if (folder === null) return pino(options, openLogDescriptor(STANDARD_OUTPUT));
  const file = join(folder, LOG_FILE);
  const terminal = openLogDescriptor(STANDARD_ERROR);
  const toFile = { level: 'trace', stream: openLogFile(file) } as const;
  const toTerminal = {
    level: 'error',
    stream: { write: (line: string) => terminal.write(summarize(line, file)) },
  } as const;
  return pino(options, multistream([toFile, toTerminal]));
}

// The query is left out: a sign-in's answer comes in one.
const requestSchema = z.object({ method: z.string(), url: z.string(), ip: z.string() });

// Longer than every address of ours. Guests can send 16 KB, and would fill the disk with the log of them.
const PATH_CHARACTERS_MAX = 200;

function describeRequest(request: unknown): unknown {
  const parsed = requestSchema.safeParse(request);
  if (!parsed.success) return undefined;
  const { method, url, ip } = parsed.data;
  const [path = ''] = url.split('?', 1);
  const isLong = path.length > PATH_CHARACTERS_MAX;
  return { method, path: isLong ? `${path.slice(0, PATH_CHARACTERS_MAX)}…` : path, remoteAddress: ip };
}

const entrySchema = z.object({ msg: z.string().default(''), reqId: z.string().optional() });

function summarize(line: string, file: string): string {
  const { msg, reqId } = entrySchema.parse(JSON.parse(line));
  return `Error: ${msg}${reqId ? ` (request ${reqId})` : ''}. Details: ${file}\n`;
}
