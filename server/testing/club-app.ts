import type { LightMyRequestResponse } from 'fastify';
import { type UserId, userIdSchema } from '#contract/ids.ts';
import type { AppSettings } from '#server/app.ts';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { startTestApp, type TestApp } from './test-app.ts';

// A server on a public address with accounts of its own, and browsers that visit it.

export const CLUB_URL = 'https://laps.example';
export const PASSWORD = 'seven kerbs and a hairpin';

const MONTH_MS = 30 * 24 * 60 * 60_000;

export type ClubApp = TestApp & {
  /** A browser at `address`, which keeps its cookies. */
  openDevice: (device?: { address?: string; userAgent?: string }) => Device;
  /** An account that was made with an invitation, and the browser that made it. */
  join: (account?: { email?: string; role?: 'member' | 'moderator' | 'admin' | 'owner' }) => Promise<Member>;
  /** A link as an administrator or the server makes it. */
  makeLink: (given: Partial<Parameters<typeof insertOneTimeToken>[1]>) => Promise<string>;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Device = {
  cookies: Map<string, string>;
  call: (method: Method, url: string, body?: object) => Promise<LightMyRequestResponse>;
};

export type Member = { device: Device; email: string; userId: UserId };

let members = 0;

export async function startClubApp(
  settings: Partial<AppSettings> = {},
  shared?: OpenDatabase,
): Promise<ClubApp> {
  const testApp = await startTestApp({
    settings: { publicUrl: CLUB_URL, hasOwnAccounts: true, ...settings },
    ...(shared && { database: shared }),
  });
  const makeLink: ClubApp['makeLink'] = async (given) => {
    const { token } = await insertOneTimeToken(testApp.database.db, {
      purpose: 'invitation',
      lastsMs: MONTH_MS,
      ...given,
    });
    return token;
  };

  const openDevice: ClubApp['openDevice'] = ({
    address = '203.0.113.7',
    userAgent = 'Firefox/140.0',
  } = {}) => {
    const cookies = new Map<string, string>();
    return {
      cookies,
      call: async (method, url, body) => {
        const response = await testApp.app.inject({
          method,
          url,
          remoteAddress: address,
          headers: {
            host: new URL(CLUB_URL).host,
            origin: CLUB_URL,
            'user-agent': userAgent,
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          },
          ...(body && { payload: body }),
        });
        for (const { name, value } of response.cookies) {
          if (value === '') cookies.delete(name);
          else cookies.set(name, encodeURIComponent(value));
        }
        return response;
      },
    };
  };

  const join: ClubApp['join'] = async (given = {}) => {
    members += 1;
    const { email = `member-${members}@club.example`, role = 'member' } = given;
    const device = openDevice();
    const token = await makeLink({ role });
    const account = { firstName: 'Member', lastName: `Number ${members}`, email, password: PASSWORD };
    const response = await device.call('POST', '/api/auth/invitation', { token, ...account });
    if (response.statusCode !== 200) throw new Error(response.body);
    const { id } = (await device.call('GET', '/api/auth/user')).json<{ id: string }>();
    return { device, email, userId: userIdSchema.parse(id) };
  };

  return { ...testApp, openDevice, join, makeLink };
}
