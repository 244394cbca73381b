import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** Lets nothing be stored unless its route says so: a proxy would give guests what a signed-in user got. */
export function storeNothingByDefault(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** Tells browsers what pages may do: scripts come from here alone; notifications put styles into the document. */
export function setSecurityHeaders(
  app: FastifyInstance,
  options: {
    publicUrl: string;
    inlineScriptHashes: string[];
    /** The origin that photos are sent to, when it is not this server. */
    uploadOrigin: string | null;
    /** The origin of background maps. */
    tilesOrigin: string | null;
  },
): void {
  const isHttps = options.publicUrl.startsWith('https:');
  // The plugin for Fastify would write all headers again for every call.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...options.inlineScriptHashes],
        connectSrc: ["'self'", ...(options.uploadOrigin === null ? [] : [options.uploadOrigin])],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...(options.tilesOrigin === null ? [] : [options.tilesOrigin])],
        // Videos that readers open are files of their own device.
        mediaSrc: ["'self'", 'blob:'],
        // Their players load only after a tap on a button that names the site.
        frameSrc: ["'self'", 'https://www.youtube-nocookie.com', 'https://player.vimeo.com'],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000 },
    // A form of ours without its origin would look as if another site had sent it.
    referrerPolicy: { policy: 'same-origin' },
    // Browsers warn of it at frames such as the preview of a mail, which are of an origin of their own.
    originAgentCluster: false,
  });
  app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, () => done()));
}
