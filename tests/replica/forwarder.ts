import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** An address that stays while the server behind it changes, as load balancers and floating addresses give one. */
export type Forwarder = {
  port: number;
  /** Cuts the connections that there are and leads new ones to another port. */
  moveTo: (port: number) => void;
  close: () => Promise<void>;
};

/** Forwards connections to `port` of this computer. */
export async function startForwarder(port: number): Promise<Forwarder> {
  let target = port;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // Whatever breaks on one side ends the other.
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const behind = keep(connect(target, '127.0.0.1'));
    keep(client).on('close', () => behind.destroy());
    behind.on('close', () => client.destroy());
    client.pipe(behind).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    moveTo: (next) => {
      target = next;
      cut();
    },
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
