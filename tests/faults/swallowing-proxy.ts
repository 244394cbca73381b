import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A network between the server and its database that can lose everything, as one with a broken link or a firewall does. */
export type SwallowingProxy = {
  url: string;
  /** Drops what comes on the connections that there are, without ending them; `isForNew` does so to new ones too. */
  swallow: (isForNew: boolean) => void;
  close: () => Promise<void>;
};

/** Leads to the PostgreSQL whose socket is in the folder that `databaseUrl` names. */
export async function openSwallowingProxy(databaseUrl: string): Promise<SwallowingProxy> {
  const url = new URL(databaseUrl.replace('@/', '@socket/'));
  const path = `${url.searchParams.get('host')}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let swallowsNew = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (swallowsNew) {
      client.resume();
      return;
    }
    const behind = keep(connect(path));
    client.on('close', () => behind.destroy());
    behind.on('close', () => client.destroy());
    client.pipe(behind).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}`,
    swallow: (isForNew) => {
      swallowsNew = isForNew;
      for (const socket of sockets) {
        socket.unpipe();
        socket.resume();
      }
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
