import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/errors.ts';

/** The paths that have a page. Every other path gets the same document, which says so, with status 404. */
const PAGES = [
  /^\/$/,
  /^\/(?:leaderboards|upload|login|garage\/add)\/?$/,
  /^\/track\/[^/]+\/?$/,
  /^\/profile(?:\/[^/]+)?\/?$/,
  /^\/admin\/(?:import-tracks|apex-import)\/?$/,
];

// Vite names these files after their content, so a browser never has to ask for one again.
const HASHED_FILES = '/assets/';

/** The one document of the web client. */
export type WebDocument = {
  html: string;
  /** For a Content-Security-Policy: the scripts that stand in the document itself. */
  inlineScriptHashes: string[];
};

/** Reads the built web client's document; null where it has not been built. */
export function readWebDocument(folder: string): WebDocument | null {
  const path = join(folder, 'index.html');
  if (!existsSync(path)) return null;
  const html = readFileSync(path, 'utf8');
  return { html, inlineScriptHashes: hashInlineScripts(html) };
}

/** Serves the files of the built web client, and its document on every path that is neither a file nor a call. */
export async function mountWebApp(
  app: FastifyInstance,
  folder: string,
  document: WebDocument | null,
): Promise<void> {
  if (document) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      cacheControl: false, // ours, below
      setHeaders: (response, path) => {
        const isHashed = path.startsWith(join(folder, HASHED_FILES));
        response.setHeader(
          'cache-control',
          isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
        );
      },
    });
  }
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?');
    const wantsDocument =
      ['GET', 'HEAD'].includes(request.method) &&
      !/^\/api(?:\/|$)/.test(path) &&
      !path.startsWith(HASHED_FILES);
    if (!document || !wantsDocument) throw new AppError('not_found', 'There is nothing at this address.');
    return reply
      .code(PAGES.some((page) => page.test(path)) ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(document.html);
  };
  if (document) app.get('/', answer);
  app.setNotFoundHandler(answer);
}

function hashInlineScripts(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  );
}
