import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A page of the documentation. */
export type DocumentationPage = {
  /** The path begins at the project's folder: `docs/timing.md`. */
  path: string;
  text: string;
};

/** A page shows this command for typing, or names it in a sentence. */
export type DocumentedCommand = {
  page: string;
  /** The command is on one line, without its comment. */
  command: string;
  /** A command in its own block is copied unchanged; one in a sentence may contain placeholders, such as `FILE`. */
  isBlock: boolean;
};

/** Lists every page for readers, in the order of their paths. */
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

/**
 * Lists the commands of a page: each line of its `sh` blocks, and quoted text in sentences that begins with npm, npx or node.
 */
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

/** Lists links and pictures of a page that lead to no file of the project, or to no heading of its pages. */
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

/** Readers of a page make these files themselves, or a server writes them. */
const FILES_ELSEWHERE = new Set([
  'account.json',
  'deploy/storage-keys.json',
  'example.ts',
  'engine/formats/dialects/trailbox-csv.ts',
  'engine/formats/dialects/trailbox-csv.test.ts',
  'running.json',
]);

/**
 * Lists source and other files that the sentences of a page name, by their whole path or its end, and that the project lacks;
 * and the sources of built programs that it shows for running.
 */
export function lostFiles({ text }: DocumentationPage, projectFiles: readonly string[]): string[] {
  const named = [...withoutBlocks(text).matchAll(/`#?(\w[\w./-]*\.(?:ts|tsx|mjs|css|sql|sh|ya?ml|json))`/g)];
  const built = [...text.matchAll(/\bdist\/(server\/[\w/-]+\.)js\b/g)];
  const files = [...named.map(([, path = '']) => path), ...built.map(([, path = '']) => `${path}ts`)]
    .filter((path) => !FILES_ELSEWHERE.has(path))
    .filter((path) => !projectFiles.some((file) => `/${file}`.endsWith(`/${path}`)));
  return [...files, ...lostFolders(text, projectFiles)];
}

/** Finds the folders that a page names by their whole path and that are not there. */
function lostFolders(text: string, projectFiles: readonly string[]): string[] {
  return [...text.matchAll(/`((?:engine|contract|server|web|scripts|deploy)\/[\w/-]+)`/g)]
    .map(([, path = '']) => path.replace(/\/$/, ''))
    .filter((path) => !projectFiles.some((file) => file.startsWith(`${path}/`)));
}

/** Lists every hand-written file of the project, from its folder. */
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

/** Lists the headings of a page in the form of link targets. */
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
