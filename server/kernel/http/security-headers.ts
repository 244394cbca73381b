import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * Tells browsers what pages of ours may do. Scripts come from here alone. Styles may stand in the document, because the
 * notifications put theirs there; pictures come from anywhere, because the sign-in provider's people have theirs elsewhere.
 */
export async function setSecurityHeaders(
  app: FastifyInstance,
  options: {
    publicUrl: string;
    inlineScriptHashes: string[];
    /** Where photos are sent to, when it is not here. */
    uploadOrigin: string | null;
  },
): Promise<void> {
  const isHttps = options.publicUrl.startsWith('https:');
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...options.inlineScriptHashes],
        connectSrc: ["'self'", ...(options.uploadOrigin === null ? [] : [options.uploadOrigin])],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', ...(isHttps ? [] : ['http:'])],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000 },
    // Without its own origin a form of ours would look as if another site had sent it.
    referrerPolicy: { policy: 'same-origin' },
  });
}
