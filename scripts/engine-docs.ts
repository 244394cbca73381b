// `npm run docs`: writes the documentation of the engine, drawn from its sources, to dist/docs/engine.html: one page that needs nothing else.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineModules } from './engine-modules.ts';
import { enginePage } from './engine-page.ts';
import { projectFolder } from './install.mjs';

const folder = join(projectFolder, 'dist', 'docs');
mkdirSync(folder, { recursive: true });
const file = join(folder, 'engine.html');
const guide = readFileSync(join(projectFolder, 'engine', 'README.md'), 'utf8');
writeFileSync(file, enginePage(engineModules(projectFolder), guide));
console.log(`Written: ${file}`);
