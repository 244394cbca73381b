import { zipSync } from 'fflate';
import { isLapList } from './lap-file-queue.ts';

/** Puts each log of MoTeC into one archive with the list of laps (`.ldx`) that was chosen with it under the same name: the server reads the laps only there. */
export async function pairLapLists(files: readonly File[]): Promise<File[]> {
  const listOf = (log: File) => files.find((file) => isLapList(file) && stemOf(file) === stemOf(log));
  const logs = files.filter(isLog);
  const paired = new Set(logs.flatMap((log) => listOf(log) ?? []));
  const result: File[] = [];
  for (const file of files) {
    if (paired.has(file)) continue;
    const list = isLog(file) ? listOf(file) : undefined;
    result.push(list === undefined ? file : await join(file, list));
  }
  return result;
}

function isLog({ name }: File): boolean {
  return /\.ld$/i.test(name);
}

function stemOf({ name }: File): string {
  return name.slice(0, name.lastIndexOf('.')).toLowerCase();
}

async function join(log: File, list: File): Promise<File> {
  const archive = zipSync({ 'log.ld': await read(log), 'log.ldx': await read(list) }, { level: 0 });
  return new File([archive], `${log.name}.zip`, { lastModified: log.lastModified });
}

async function read(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}
