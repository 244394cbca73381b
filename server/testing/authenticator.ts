import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// An authenticator in software, as WebAuthn level 3 describes one: ES256, no attestation, the user always verified.

/** Makes passkeys and signs with them, for the page at `origin`. */
export function openAuthenticator(origin: string, idBytes = 16) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(idBytes);
  const rawId = id.toString('base64url');
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let counter = 0;

  const clientData = (type: string, challenge: string, at = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  /** User present and verified. */
  const authenticatorData = (more: Buffer | null) => {
    counter += 1;
    const rpId = createHash('sha256').update(new URL(origin).hostname).digest();
    const flags = Buffer.from([0x05 | (more ? 0x40 : 0)]);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([rpId, flags, count, ...(more ? [more] : [])]);
  };

  return {
    /** Answers like `navigator.credentials.create`. */
    create: (challenge: string, at = origin) => {
      const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'));
      // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from('a5010203262001', 'hex'),
        Buffer.from('215820', 'hex'),
        coordinates[0] ?? Buffer.alloc(0),
        Buffer.from('225820', 'hex'),
        coordinates[1] ?? Buffer.alloc(0),
      ]);
      const data = authenticatorData(Buffer.concat([Buffer.alloc(16), twoBytes(id.length), id, key]));
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x59]),
        twoBytes(data.length),
        data,
      ]);
      return {
        id: rawId,
        rawId,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, at).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
        },
        clientExtensionResults: {},
      };
    },
    /** Answers like `navigator.credentials.get`. */
    get: (challenge: string, at = origin) => {
      const data = authenticatorData(null);
      const client = clientData('webauthn.get', challenge, at);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        id: rawId,
        rawId,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
        clientExtensionResults: {},
      };
    },
  };
}

function twoBytes(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(number);
  return bytes;
}
