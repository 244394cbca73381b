import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A page of the documentation. */
export type DocumentationPage = {
  /** From the project's folder: `docs/timing.md`. */
  path: string;
  text: string;
};

/** A command that a page tells people to type, or names in a sentence. */
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
    return heading !== undefined && !headingsOf(readFileSync(found, 'utf8')).includes(heading);
  });
}

/** The headings of a page as links write them. */
function headingsOf(text: string): string[] {
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
