import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';

/** A JPEG of one colour, as a phone would take it: with a position, and a mark of which side was up. */
export async function phonePhoto(width = 80, height = 40, orientation = 1): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background: '#c03020' } })
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Make: 'Secret Phone' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 10/1 39/1' },
    })
    .jpeg()
    .toBuffer();
}

/** Asks for an address to send an image to; gives it. */
export async function createUpload(app: FastifyInstance, headers: object): Promise<string> {
  const response = await app.inject({ method: 'POST', url: '/api/objects/upload', headers: { ...headers } });
  return response.json().uploadURL;
}

/** PUTs bytes to an upload address, wherever it is; gives the status. */
export async function putTo(app: FastifyInstance, address: string, content: Buffer): Promise<number> {
  const { pathname, search } = new URL(address);
  if (!pathname.startsWith('/api/')) {
    return (await fetch(address, { method: 'PUT', body: new Uint8Array(content) })).status;
  }
  const headers = { 'content-type': 'image/jpeg' };
  return (await app.inject({ method: 'PUT', url: pathname + search, headers, payload: content })).statusCode;
}

/** Sends an image as a browser does; gives the address that it went to. */
export async function sendImage(app: FastifyInstance, headers: object, content: Buffer): Promise<string> {
  const address = await createUpload(app, headers);
  const status = await putTo(app, address, content);
  if (status !== 200) throw new Error(`The image was answered with ${status}.`);
  return address;
}
