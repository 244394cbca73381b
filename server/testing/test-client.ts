import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { encodeForm, type FormPart, type TestFile } from './form.ts';
import { sendImage } from './images.ts';

type Headers = Record<string, string | undefined>;
type Answer = Promise<LightMyRequestResponse>;
type Send = (method: Endpoint['method'], url: string, body?: object | string, headers?: Headers) => Answer;
type Call = (url: string, headers?: Headers) => Answer;
type CallWithBody = (url: string, body?: object | string, headers?: Headers) => Answer;

/** Calls the server as one person, or as a guest. */
export type TestClient = {
  send: Send;
  get: Call;
  delete: Call;
  post: CallWithBody;
  put: CallWithBody;
  patch: CallWithBody;
  postForm: (url: string, parts: readonly FormPart[]) => Answer;
  /** Uploads lap files, or pending files by their tokens. */
  uploadLaps: (
    trackId: string,
    files: TestFile | string | readonly (TestFile | string)[],
    fields?: Record<string, string>,
  ) => Answer;
  /** Uploads an image; returns its URL. */
  sendImage: (content: Buffer) => Promise<string>;
};

/** Makes a client from a function that sends one request. */
export function createTestClient(
  inject: (request: InjectOptions & { headers: Headers }) => Answer,
): TestClient {
  const send: Send = (method, url, body, headers = {}) =>
    inject({ method, url, headers, ...(body !== undefined && { payload: body }) });
  const postForm: TestClient['postForm'] = async (url, parts) => {
    const { payload, headers } = await encodeForm(parts);
    return await send('POST', url, payload, headers);
  };
  const client = {
    send,
    get: (url, headers) => send('GET', url, undefined, headers),
    delete: (url, headers) => send('DELETE', url, undefined, headers),
    post: (url, body, headers) => send('POST', url, body, headers),
    put: (url, body, headers) => send('PUT', url, body, headers),
    patch: (url, body, headers) => send('PATCH', url, body, headers),
    postForm,
    uploadLaps: (trackId, files, fields = {}) =>
      postForm('/api/upload', [
        ...Object.entries({ trackId, ...fields }),
        ...[files].flat().map((file): FormPart => ['files', file]),
      ]),
  } satisfies Omit<TestClient, 'sendImage'>;
  return { ...client, sendImage: (content) => sendImage(client, content) };
}
