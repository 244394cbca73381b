import { type UserId, userIdSchema } from '#contract/ids.ts';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';
import { startTestApp, type TestApp, type TestAppOptions, useTestApp } from './test-app.ts';
import { createTestClient, type TestClient } from './test-client.ts';

// A server on a public address with accounts of its own, and browsers that visit it.

export const CLUB_URL = 'https://laps.example';
export const PASSWORD = 'seven kerbs and a hairpin';

const MONTH_MS = 30 * 24 * 60 * 60_000;

export type ClubApp = TestApp & {
  /** Opens a browser at an IP address, which keeps its cookies. */
  openDevice: (device?: { address?: string; userAgent?: string }) => Device;
  /** Makes an account with an invitation, in a browser of its own. */
  join: (account?: { email?: string; role?: 'member' | 'moderator' | 'admin' | 'owner' }) => Promise<Member>;
  /** Returns the token of a link as an administrator or the server makes it. */
  makeLink: (given: Partial<Parameters<typeof insertOneTimeToken>[1]>) => Promise<string>;
};

export type Device = TestClient & {
  cookies: Map<string, string>;
  signIn: (email: string, password?: string) => ReturnType<TestClient['post']>;
  /** Returns 200 for a browser that is signed in, or 401. */
  whoAmI: () => Promise<number>;
};

export type Member = { device: Device; email: string; userId: UserId };

const toClubOptions = ({ settings, ...options }: TestAppOptions): TestAppOptions => ({
  ...options,
  settings: { publicUrl: CLUB_URL, hasOwnAccounts: true, ...settings },
});

/** Starts such a server for the tests of one file, as `useTestApp` does. */
export function useClubApp(
  options: TestAppOptions | (() => TestAppOptions | Promise<TestAppOptions>) = {},
): ClubApp {
  return toClubApp(
    useTestApp(async () => toClubOptions(typeof options === 'function' ? await options() : options)),
  );
}

/** Starts one more such server within a test, until the test ends. */
export async function startClubApp(options: TestAppOptions = {}): Promise<ClubApp> {
  return toClubApp(await startTestApp(toClubOptions(options)));
}

let members = 0;

function toClubApp(app: TestApp): ClubApp {
  const makeLink: ClubApp['makeLink'] = async (given) => {
    const link = { purpose: 'invitation', lastsMs: MONTH_MS, ...given } as const;
    return (await insertOneTimeToken(app.db, link)).token;
  };
  const openDevice: ClubApp['openDevice'] = ({
    address = '203.0.113.7',
    userAgent = 'Firefox/140.0',
  } = {}) => {
    const cookies = new Map<string, string>();
    const client = createTestClient(async ({ headers, ...request }) => {
      const response = await app.fastify.inject({
        ...request,
        remoteAddress: address,
        headers: {
          host: new URL(CLUB_URL).host,
          origin: CLUB_URL,
          'user-agent': userAgent,
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...headers,
        },
      });
      for (const { name, value } of response.cookies) {
        if (value === '') cookies.delete(name);
        else cookies.set(name, encodeURIComponent(value));
      }
      return response;
    });
    return {
      ...client,
      cookies,
      signIn: (email, password = PASSWORD) => client.post('/api/auth/password', { email, password }),
      whoAmI: async () => (await client.get('/api/auth/user')).statusCode,
    };
  };

  const join: ClubApp['join'] = async (given = {}) => {
    members += 1;
    const { email = `member-${members}@club.example`, role = 'member' } = given;
    const device = openDevice();
    const token = await makeLink({ role });
    const account = { firstName: 'Member', lastName: `Number ${members}`, email, password: PASSWORD };
    const response = await device.post('/api/auth/invitation', { token, ...account });
    if (response.statusCode !== 200) throw new Error(response.body);
    const { id } = (await device.get('/api/auth/user')).json<{ id: string }>();
    return { device, email, userId: userIdSchema.parse(id) };
  };

  // A spread would read the getters of an app that has not started yet.
  return Object.assign(app, { openDevice, join, makeLink });
}
