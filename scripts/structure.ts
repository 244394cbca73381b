import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm run lint` checks here who imports whom, that one folder writes each table, and that rows are parsed.
// docs/architecture.md explains the rules. Tests may import anything.

/** Maps the path of each source file, with `/` between folders, to its text. */
export type Sources = ReadonlyMap<string, string>;

type Import = { specifier: string; target: string; isType: boolean };

type Rule = {
  /** Matches the files that the rule holds for. A group of it that `allowed` names as `$1` is the file's own folder. */
  files: RegExp;
  except?: RegExp;
  /** Matches what they must not import: a path in this project or the name of a package. */
  refused: RegExp;
  /** Matches the exceptions from `refused`; `$1` is the first group of `files`. */
  allowed?: string;
  mayTakeTypes?: true;
  message: string;
};

const RULES: readonly Rule[] = [
  {
    files: /^engine\//,
    refused: /./,
    allowed: '^engine/',
    message: 'The engine imports nothing but itself.',
  },
  {
    files: /^contract\//,
    refused: /./,
    allowed: '^(contract/|zod$)',
    mayTakeTypes: true,
    message: 'The contract imports zod and types of the engine.',
  },
  {
    files: /^contract\//,
    refused: /^(server|web)\//,
    message: 'The contract imports zod and types of the engine.',
  },
  { files: /^server\//, refused: /^web\//, message: 'The server imports engine and contract only.' },
  {
    files: /^server\/kernel\//,
    refused: /^server\//,
    allowed: '^server/kernel/',
    message: 'The kernel imports no noun of the product.',
  },
  {
    files: /^server\/model\//,
    refused: /^server\//,
    allowed: '^server/(kernel|model)/',
    message: 'The model imports the kernel and the model.',
  },
  {
    files: /^server\/(features\/[^/]+|pages)\//,
    refused: /^server\//,
    allowed: '^server/(kernel/|model/|$1/)',
    message: 'A feature imports the kernel, the model and itself, never another feature.',
  },
  {
    files: /^server\//,
    except: /-store\.ts$|\/schema\.ts$|-schema\.ts$|^server\/kernel\/database\//,
    refused: /^(drizzle-orm(\/.*)?|pg)$/,
    message: 'SQL lives in *-store.ts files and in server/kernel/database/.',
  },
  {
    files: /^server\//,
    except: /^server\/app\.ts$/,
    refused: /-routes\.ts$/,
    message: 'Only server/app.ts mounts routes.',
  },
  {
    files: /^web\//,
    except: /\.config\.ts$/,
    refused: /^(server\/|node:)/,
    message: 'The browser has no server code.',
  },
  {
    files: /^web\/features\/([^/]+)\//,
    refused: /^web\//,
    allowed: '^web/(features/$1|ui|api)/',
    message: 'A feature imports only its own folder, #web/ui and #web/api.',
  },
  {
    files: /^web\/(ui|api)\//,
    refused: /^web\//,
    allowed: '^web/(ui|api)/',
    message: 'The kit and the calls of the server know no feature, page or shell.',
  },
  {
    files: /^web\//,
    refused: /^contract\//,
    allowed: '^contract/([^/]+/)?(labels|limits|changes|pages)\\.ts$',
    mayTakeTypes: true,
    message: 'Take values from labels.ts only: another file would bring the validator into the page.',
  },
  { files: /./, refused: /\/testing\//, message: 'Nothing that ships imports testing code.' },
];

type TextRule = { files: RegExp; except: RegExp; refused: RegExp; message: string };

// The message of a rule shows the refused text.
const TEXT_RULES: readonly TextRule[] = [
  {
    files: /^server\//,
    except: /^server\/kernel\//,
    refused: /\.(?:query|execute)<|\bsql</,
    message: 'Nothing checks this claim about rows. Read them with queryRows, executeRows or readAs.',
  },
  {
    files: /^server\//,
    except: /^server\/kernel\//,
    refused: /(?:queryRows|executeRows)\([^()]*\bz\.\w+\(/,
    message: 'Make the schema of a row once, outside of the function: else every call compiles it again.',
  },
  {
    files: /^server\//,
    except: /^server\/model\/laps\/ranking\.ts$/,
    refused: /\(\s*'valid',\s*'warning'\s*\)/,
    message: 'Take RANKING_STATUS_LIST of model/laps/ranking.ts.',
  },
  {
    files: /^server\//,
    except: /^server\/model\/people\/driver-name\.ts$/,
    refused: /coalesce\((?:users\.)?display_name|coalesce\(\$\{(?:users\.)?displayName/,
    message: 'Take DRIVER_NAME or PERSON_NAME of model/people/driver-name.ts.',
  },
  {
    files: /^web\//,
    except: /^web\/ui\/form\.tsx$/,
    refused: /<form\b/,
    message: 'Take Form of web/ui/form.tsx, which moves to the first problem.',
  },
  {
    files: /^web\//,
    // Administrators edit the length of a track as the library stores it.
    except: /^web\/(?:ui\/format\.ts|features\/library\/edit-track\.tsx)$/,
    refused:
      /km\/h|\bmph\b|°[CF]\b|\b(?:metres?|miles?|feet|kilomet(?:re|er)s?)\b|(?:[\d}]|['"`])\s(?:m|cm|ft|km|mi)(?=['"`<\s.,;)])/,
    message: 'Take the unit of web/ui/format.ts, which is that of the reader.',
  },
  {
    files: /^web\//,
    // A name of a time zone, and the day in that of the reader, are no forms of dates.
    except:
      /^web\/(?:ui\/(?:format\.ts|club-fields\.tsx)|features\/boards\/(?:near-tracks\.ts|print-board\.tsx))$/,
    refused: /\.toLocale(?:Date|Time)?String\b|\bIntl\.|\.get(?:FullYear|Month|Date|Hours|Minutes)\(/,
    message: 'Format dates and numbers with web/ui/format.ts.',
  },
];

/** Finds every import and every text that a rule refuses, and every write to a table outside its folder, as sentences. */
export function findBreaches(sources: Sources): string[] {
  const owners = findTableOwners(sources);
  return [...sources].flatMap(([file, text]) => [
    ...listImports(file, text).flatMap((imported) => checkImport(file, imported)),
    ...checkTables(file, text, owners),
    ...checkText(file, text),
  ]);
}

const IMPORT = /(?:^(?:import|export)\s+(type\s)?(?:[^'"();]*?\sfrom\s)?|\bimport\(\s*)['"]([^'"\n]+)['"]/gm;
const LAYER = /^#(?=(?:engine|contract|server|web)\/)/;

function listImports(file: string, text: string): Import[] {
  return Array.from(text.matchAll(IMPORT), ([, isType, specifier = '']) => ({
    specifier,
    isType: isType !== undefined,
    target: resolve(file, specifier),
  }));
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  return specifier.replace(LAYER, '');
}

function checkImport(file: string, { specifier, target, isType }: Import): string[] {
  const breaches = RULES.filter(({ files, except, refused, allowed, mayTakeTypes }) => {
    const match = files.exec(file);
    if (!match || except?.test(file) || !refused.test(target) || (isType && mayTakeTypes)) return false;
    return allowed === undefined || !new RegExp(allowed.replaceAll('$1', match[1] ?? '')).test(target);
  });
  const messages = breaches.map(({ message }) => message);
  if (specifier.startsWith('.') && HAS_ROOMS.test(file) && findRoom(file) !== findRoom(target)) {
    messages.push(`Import another folder as '#${target}'.`);
  }
  return messages.map((message) => `${file} imports ${specifier}: ${message}`);
}

const HAS_ROOMS = /^(?:contract|server|web\/features)\//;
const ROOM = /^(?:server\/(?:model|features|kernel)\/[^/]+|web\/features\/[^/]+|[^/]+\/[^/]+)(?=\/)/;

/** Returns the folder whose files import each other by relative paths: a feature, a noun of the model, a folder of a layer. */
function findRoom(file: string): string {
  return ROOM.exec(file)?.[0] ?? posix.dirname(file);
}

type Owner = { folder: string; table: string };

const TABLE = /export const (\w+) = pgTable\(\s*'(\w+)'/g;
const WRITE =
  /\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\s+"?(\w+)|\.(?:insert|update|delete)\(\s*(\w+)\)/g;

// The foreign key to users keeps the definition in model/people; the kernel writes positions for reads of a replica.
const WRITTEN_ELSEWHERE = new Map([['replay_positions', 'server/kernel']]);

/** Finds the folder that each table belongs to, by the names of the table in SQL and in TypeScript. */
function findTableOwners(sources: Sources): Map<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const [file, text] of sources) {
    if (!file.endsWith('schema.ts')) continue;
    for (const [, variable = '', table = ''] of text.matchAll(TABLE)) {
      const folder = WRITTEN_ELSEWHERE.get(table) ?? tableFolder(file);
      for (const name of [variable, table]) owners.set(name, { folder, table });
    }
  }
  return owners;
}

function tableFolder(file: string): string {
  return file.startsWith('server/kernel/') ? 'server/kernel' : posix.dirname(file);
}

function checkTables(file: string, text: string, owners: Map<string, Owner>): string[] {
  return Array.from(text.matchAll(WRITE)).flatMap(([, sqlName, variable]) => {
    const owner = owners.get(sqlName ?? variable ?? '');
    if (!owner || file.startsWith(`${owner.folder}/`)) return [];
    return [`${file} writes ${owner.table}: only ${owner.folder} does.`];
  });
}

function checkText(file: string, text: string): string[] {
  return TEXT_RULES.flatMap(({ files, except, refused, message }) => {
    const found = files.test(file) && !except.test(file) ? refused.exec(withoutComments(text)) : null;
    return found ? [`${file} has ${found[0]}: ${message}`] : [];
  });
}

/** Removes the lines that are comments: those may name what a text must not. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

const LAYERS = ['engine', 'contract', 'server', 'web'];
const IS_TEST = /\.test\.tsx?$|\/testing\//;

export function readSources(projectFolder: string): Sources {
  const files = LAYERS.flatMap((layer) =>
    readdirSync(posix.join(projectFolder, layer), { recursive: true, encoding: 'utf8' }).map((file) =>
      `${layer}/${file}`.replaceAll('\\', '/'),
    ),
  );
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !IS_TEST.test(file)).toSorted();
  return new Map(sources.map((file) => [file, readFileSync(posix.join(projectFolder, file), 'utf8')]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const breaches = findBreaches(readSources(fileURLToPath(new URL('..', import.meta.url))));
  for (const breach of breaches) console.error(breach);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}
