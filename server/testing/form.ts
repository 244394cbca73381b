export type TestFile = { name: string; content: string | Buffer<ArrayBuffer> };
export type FormPart = readonly [name: string, value: string | TestFile];

/** Encodes a form as a browser does, with its parts in the order given. */
export async function encodeForm(parts: readonly FormPart[]): Promise<{
  headers: { 'content-type': string };
  payload: Buffer;
}> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([value.content]), value.name);
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type');
  if (contentType === null) throw new Error('The form has no type.');
  return { headers: { 'content-type': contentType }, payload: Buffer.from(await encoded.arrayBuffer()) };
}
