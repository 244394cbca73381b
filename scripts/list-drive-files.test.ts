import { expect, test } from 'vitest';
import { listDriveFiles } from './list-drive-files.mjs';

const MANIFEST = {
  'index.html': {
    file: 'assets/index-1.js',
    css: ['assets/index-1.css'],
    assets: ['assets/text-1.woff2'],
    imports: ['_shared.js'],
    dynamicImports: ['pages/drive.tsx', 'pages/home.tsx', 'ui/toaster.tsx'],
  },
  '_shared.js': { file: 'assets/shared-1.js', dynamicImports: ['features/lap-view/lap-view.tsx'] },
  'pages/drive.tsx': {
    file: 'assets/drive-1.js',
    css: ['assets/drive-1.css'],
    imports: ['index.html', '_shared.js'],
    dynamicImports: ['features/drive/fetch-track.ts'],
  },
  'pages/home.tsx': { file: 'assets/home-1.js' },
  'ui/toaster.tsx': { file: 'assets/toaster-1.js' },
  'features/drive/fetch-track.ts': { file: 'assets/fetch-track-1.js' },
  'features/lap-view/lap-view.tsx': { file: 'assets/lap-view-1.js' },
};

const WORKER = 'new Worker(new URL("/assets/recording-worker-1.js", import.meta.url))';

function read(file: string): string {
  return file === 'assets/drive-1.js' ? WORKER : '';
}

test('the page of a drive needs its chunks, styles, fonts and workers, and no other page', () => {
  expect(listDriveFiles(MANIFEST, read)).toEqual([
    '/assets/drive-1.css',
    '/assets/drive-1.js',
    '/assets/fetch-track-1.js',
    '/assets/index-1.css',
    '/assets/index-1.js',
    '/assets/recording-worker-1.js',
    '/assets/shared-1.js',
    '/assets/text-1.woff2',
    '/assets/toaster-1.js',
  ]);
});
