import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const TYPESCRIPT = /\.tsx?$/;
// Gives every class its own name, as Vite does in tests.
const STYLES = 'export default new Proxy({}, { get: (_, name) => name });';

/** Hook of Node's module loader. */
export async function load(url, context, nextLoad) {
  const [address] = url.split('?');
  if (address.endsWith('.css')) return toModule(STYLES);
  if (!TYPESCRIPT.test(address) || address.includes('/node_modules/')) return nextLoad(url, context);
  const path = fileURLToPath(address);
  const { code } = await transform(await readFile(path, 'utf8'), {
    loader: address.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  return toModule(code);
}

function toModule(source) {
  return { format: 'module', source, shortCircuit: true };
}
