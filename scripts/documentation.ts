import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A page of the documentation. */
export type DocumentationPage = {
  /** From the project's folder: `docs/timing.md`. */
  path: string;
  text: string;
};

/** A command that a page gives people to type, or names in a sentence. */
export type DocumentedCommand = {
  page: string;
  /** Without its comment, on one line. */
  command: string;
  /** In a block of its own, to be copied as it is; in a sentence it may hold words to replace, such as `FILE`. */
  isBlock: boolean;
};

/** Every page that people read, in the order of their paths. */
export function documentationPages(projectFolder: string): DocumentationPage[] {
  const below = readdirSync(join(projectFolder, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`);
  return [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'data/LICENSES.md',
    'data/lap-files/README.md',
    'engine/README.md',
    'web/README.md',
    ...below,
  ]
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }));
}

/** The commands of a page: each line of its `sh` blocks, and what sentences quote that begins with npm, npx or node. */
export function documentedCommands({ path, text }: DocumentationPage): DocumentedCommand[] {
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/(?:^|\s+)#\s.*$/, '').trim())
      .filter((line) => line !== ''),
  );
  const quoted = [...withoutBlocks(text).matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code.replaceAll(/\s+/g, ' '))
    .filter((code) => /^(?:\w+=\S* )*(?:npm|npx|node) /.test(code));
  return [
    ...blocks.map((command) => ({ page: path, command: command.replaceAll(/\s+/g, ' '), isBlock: true })),
    ...quoted.map((command) => ({ page: path, command, isBlock: false })),
  ];
}

/** Links and pictures of a page that lead to no file of the project, or to no heading of its pages. */
export function lostLinks({ path, text }: DocumentationPage, projectFolder: string): string[] {
  const targets = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', heading] = target.split('#');
    const found = join(projectFolder, file === '' ? path : normalize(join(dirname(path), file)));
    if (!existsSync(found)) return true;
    return heading !== undefined && !listHeadings(readFileSync(found, 'utf8')).includes(heading);
  });
}

/** Files that readers of a page make themselves, or that a server writes. */
const FILES_ELSEWHERE = new Set([
  'account.json',
  'deploy/storage-keys.json',
  'example.ts',
  'engine/formats/dialects/trailbox-csv.ts',
  'engine/formats/dialects/trailbox-csv.test.ts',
  'running.json',
]);

/**
 * Source and other files that a page names in its sentences, by their whole path or its end, and that are not in the project; and
 * the sources of built programs that it gives people to run.
 */
export function lostFiles({ text }: DocumentationPage, projectFiles: readonly string[]): string[] {
  const named = [...withoutBlocks(text).matchAll(/`#?(\w[\w./-]*\.(?:ts|tsx|mjs|css|sql|sh|ya?ml|json))`/g)];
  const built = [...text.matchAll(/\bdist\/(server\/[\w/-]+\.)js\b/g)];
  return [...named.map(([, path = '']) => path), ...built.map(([, path = '']) => `${path}ts`)]
    .filter((path) => !FILES_ELSEWHERE.has(path))
    .filter((path) => !projectFiles.some((file) => `/${file}`.endsWith(`/${path}`)));
}

/** Every file of the project that people have written, from its folder. */
export function listProjectFiles(projectFolder: string): string[] {
  const own = readdirSync(projectFolder).filter((name) => !NOT_WRITTEN.has(name));
  return own.flatMap((name) =>
    statSync(join(projectFolder, name)).isDirectory()
      ? readdirSync(join(projectFolder, name), { recursive: true, encoding: 'utf8' }).map(
          (path) => `${name}/${path.replaceAll('\\', '/')}`,
        )
      : [name],
  );
}

const NOT_WRITTEN = new Set(['.cache', '.git', 'dist', 'node_modules', 'pitboard-data', 'test-results']);

/** The headings of a page as links write them. */
function listHeadings(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}
