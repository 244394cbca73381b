/**
 * Reads one file with one reader in a process of its own and prints by how many bytes the memory of the process grew at most while
 * it read: `tsx bench/parsing-memory.ts FILE READER`.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { benchTrack, readers } from './parsing.ts';

const [, , path = '', name = ''] = process.argv;
const bytes = readFileSync(path);
const track = benchTrack();
const reader = readers(track)[name];
if (reader === undefined) throw new Error(`There is no reader ${name}.`);
const before = process.memoryUsage().rss;
await reader(bytes);
// In kilobytes.
console.log(1024 * process.resourceUsage().maxRSS - before);
