import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { systemEndpoints } from '#contract/operations/system.ts';
import { signInCookieName } from '#server/model/people/auth-cookie.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { html } from '#server/kernel/html.ts';
import { openApiDocument } from './openapi.ts';

/** The package has Swagger UI without its install script, which reports every installation to another host. */
const VIEWER_PACKAGE = '@fastify/swagger-ui';
const VIEWER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const PATH = systemEndpoints.docs.path;

/** Serves the OpenAPI document, and the page that shows it to developers with Swagger UI. */
export function mountApiDocsRoutes(app: FastifyInstance, { settings }: Services): void {
  // The document is built at the first call: it takes a tenth of a second, and most servers never need it.
  let document: ReturnType<typeof openApiDocument> | undefined;
  serve(app, systemEndpoints.openApi, async () => (document ??= openApiDocument(settings)));

  const page = writePage(settings.version, signInCookieName(settings.publicUrl));
  serve(app, systemEndpoints.docs, async ({ reply }) => reply.type('text/html; charset=utf-8').send(page));
  app.get(`${PATH}/start.js`, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START_SCRIPT),
  );
  const packageFile = createRequire(import.meta.url).resolve(`${VIEWER_PACKAGE}/package.json`);
  void app.register(fastifyStatic, {
    root: join(dirname(packageFile), 'static'),
    prefix: PATH,
    decorateReply: false,
    index: false,
    allowedPath: (path) => VIEWER_FILES.includes(path.slice(1)),
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=0, must-revalidate'),
  });
}

function writePage(version: string, cookieName: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pitboard API</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${PATH}/swagger-ui.css" />
        <style>
          ${{ html: STYLE }}
        </style>
        <script defer src="${PATH}/swagger-ui-bundle.js"></script>
        <script defer src="${PATH}/start.js"></script>
      </head>
      <body>
        <header>
          <p><a href="/">Pitboard</a></p>
          <h1>The API</h1>
          <p>
            Version ${version}. Programs read the same list as an
            <a href="/api/openapi.json">OpenAPI document</a>.
          </p>
          <p>
            A browser that has signed in sends the cookie <code>${cookieName}</code>. A program sends an API
            token in the header <code>Authorization: Bearer …</code>. Times are whole milliseconds, lengths
            are metres, positions are degrees.
          </p>
          <h2>Calls</h2>
        </header>
        <div id="viewer"><noscript>This list needs JavaScript.</noscript></div>
      </body>
    </html>`.html;
}

/**
 * Starts Swagger UI, in dark or light as the browser is set. Only GET calls can be tried out, because calls use the reader's
 * own sign-in. The plugin replaces the form for the cookie, which no script can set, with a text, and makes the page
 * accessible: the filter gets a landmark, and the button that opens a call contains no link.
 */
const START_SCRIPT = `
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
darkScheme.addEventListener('change', setTheme);
setTheme();

const adapt = ({ React }) => ({
  wrapComponents: {
    authorizeOperationBtn: () => () => React.createElement('span', { className: 'access' }, 'signed in'),
    FilterContainer: (Filter) => (props) =>
      React.createElement('div', { role: 'search' }, React.createElement(Filter, props)),
    DeepLink: () => ({ text }) => React.createElement('span', null, text),
  },
});

SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  filter: true,
  plugins: [adapt],
  supportedSubmitMethods: ['get'],
  syntaxHighlight: false,
  validatorUrl: null,
});
`;

// Swagger UI's light colours have too little contrast in places; its dark ones are more specific than these rules.
const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#151a20, #e4e6e6); --accent: light-dark(#006d91, #37d2f2); }
body { margin: 0; }
header { box-sizing: border-box; max-width: 1460px; margin: 0 auto; padding: 20px; color: var(--text); font: 1rem/1.5 sans-serif; }
header p { max-width: 45rem; }
header a { color: var(--accent); }
h1, h2 { margin: 0.5rem 0; line-height: 1.2; }
.swagger-ui .information-container, .swagger-ui .scheme-container { display: none; }
.swagger-ui .opblock .opblock-summary-method { color: #000; }
.swagger-ui .opblock-body pre.microlight { max-height: none; overflow: visible; }
.swagger-ui .parameter__in { color: light-dark(#5f6368, #b5bbc2); }
.swagger-ui .btn.cancel { color: #b3261e; }
.swagger-ui .btn.execute { background-color: #1f69c0; }
.swagger-ui .download-contents { background: #50565f; }
.access { padding: 0 0.5rem; font: 0.8125rem sans-serif; white-space: nowrap; }
`;
