import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The options of these scripts are read here; those of others in the command of the same name in server/commands. */
const OPTION_SOURCES: Record<string, string[]> = {
  analyze: ['scripts/analyze.ts'],
  convert: ['scripts/convert.ts'],
  bench: ['bench'],
  fuzz: ['bench/fuzz'],
  soak: ['tests/soak'],
};

/** Pages for operators may name these programs of others. */
const FOREIGN_PROGRAMS = new Set(
  'cd cp curl docker git journalctl mkdir nginx openssl pg_dump pg_restore psql rclone rsync sudo systemctl tar useradd'.split(
    ' ',
  ),
);

/** npm's own commands that a page may use. */
const NPM_COMMANDS = new Set(['audit', 'ci', 'install', 'version']);

/** Finds the reason why a documented command cannot work in the project, as a sentence; null where there is none. */
export function findProblem(command: string, projectFolder: string): string | null {
  const words = command.split(' ').filter((word) => !/^\w+=/.test(word));
  const [program = '', ...rest] = words;
  if (program === 'npm') return problemOfNpm(rest, projectFolder);
  if (program === 'npx') return problemOfNpx(rest, projectFolder);
  if (program === 'node')
    return missingFile(
      rest.find((word) => !word.startsWith('-')),
      projectFolder,
    );
  return FOREIGN_PROGRAMS.has(program) ? null : `Unknown program '${program}'.`;
}

function problemOfNpm(words: readonly string[], projectFolder: string): string | null {
  const dashes = words.indexOf('--');
  const own = (dashes === -1 ? words : words.slice(0, dashes)).filter((word) => !word.startsWith('--'));
  const passedOn = dashes === -1 ? [] : words.slice(dashes + 1);
  const [first = '', second] = own;
  if (NPM_COMMANDS.has(first)) return null;
  const script = first === 'run' ? second : first;
  if (script === undefined || !(script in readScripts(projectFolder))) {
    return `package.json has no script '${script ?? ''}'.`;
  }
  return unknownOption(script, passedOn, projectFolder) ?? unknownSubject(script, passedOn, projectFolder);
}

function problemOfNpx(words: readonly string[], projectFolder: string): string | null {
  const [program = '', ...rest] = words;
  if (!existsSync(join(projectFolder, 'node_modules', '.bin', program)))
    return `No package brings '${program}'.`;
  const path = rest.find((word) => word.includes('/') || existsSync(join(projectFolder, word)));
  return path === undefined ? null : missingFile(path, projectFolder);
}

/** The test runner takes the beginning of a path, other programs a whole one. */
function missingFile(path: string | undefined, projectFolder: string): string | null {
  if (path === undefined) return 'It names no file.';
  const folder = path.split('/').slice(0, -1).join('/');
  const name = path.split('/').at(-1) ?? '';
  const isThere =
    existsSync(join(projectFolder, folder)) &&
    readdirSync(join(projectFolder, folder)).some((entry) => entry.startsWith(name));
  return isThere || path === 'example.ts' ? null : `There is no ${path}.`;
}

function unknownOption(script: string, words: readonly string[], projectFolder: string): string | null {
  const options = words.join(' ').match(/--[a-z][a-z-]*/g) ?? [];
  const sources = (OPTION_SOURCES[script] ?? [`server/commands/${script}-command.ts`])
    .map((path) => readSources(join(projectFolder, path)))
    .join('\n');
  const unknown = options.find((option) => {
    const name = option.slice(2);
    return ![`'${name}'`, `--${name}`, `${name}:`].some((spelling) => sources.includes(spelling));
  });
  return unknown === undefined ? null : `'${script}' has no option ${unknown}.`;
}

/** The name of a benchmark is that of its file. */
function unknownSubject(script: string, words: readonly string[], projectFolder: string): string | null {
  if (script !== 'bench') return null;
  const firstOption = words.findIndex((word) => word.startsWith('--'));
  const subjects = firstOption === -1 ? words : words.slice(0, firstOption);
  const unknown = subjects.find((subject) => !existsSync(join(projectFolder, 'bench', `${subject}.ts`)));
  return unknown === undefined ? null : `There is no benchmark '${unknown}'.`;
}

function readSources(path: string): string {
  if (!existsSync(path)) return '';
  if (/\.\w+$/.test(path)) return readFileSync(path, 'utf8');
  return readdirSync(path)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('\n');
}

function readScripts(projectFolder: string): object {
  const manifest: unknown = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'scripts' in manifest;
  return isManifest && typeof manifest.scripts === 'object' && manifest.scripts !== null
    ? manifest.scripts
    : {};
}
