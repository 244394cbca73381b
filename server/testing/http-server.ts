import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

/** Starts an HTTP server on a free port of this computer for the tests of one file; call it at the top of the file. */
export function useHttpServer(listener: RequestListener): { readonly url: string } {
  const server = createServer(listener);
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get url() {
      return url;
    },
  };
}
