import sharp from 'sharp';
import type { TestClient } from './test-client.ts';

/** Makes a JPEG of one colour as a phone does: with a position, and a mark of which side was up. */
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

type Sender = Pick<TestClient, 'post' | 'put'>;

/** Asks for a signed upload URL for an image; returns it. */
export async function createUpload({ post }: Sender): Promise<string> {
  return (await post('/api/objects/upload')).json().uploadURL;
}

/** PUTs bytes to a signed upload URL of the server or of the object storage; returns the status. */
export async function putTo({ put }: Sender, url: string, content: Buffer): Promise<number> {
  const { pathname, search } = new URL(url);
  if (!pathname.startsWith('/api/')) {
    return (await fetch(url, { method: 'PUT', body: new Uint8Array(content) })).status;
  }
  return (await put(pathname + search, content, { 'content-type': 'image/jpeg' })).statusCode;
}

/** Uploads an image as a browser does; returns the URL that it went to. */
export async function sendImage(sender: Sender, content: Buffer): Promise<string> {
  const url = await createUpload(sender);
  const status = await putTo(sender, url, content);
  if (status !== 200) throw new Error(`The image was answered with ${status}.`);
  return url;
}
