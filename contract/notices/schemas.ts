import { z } from 'zod';
import { noticeIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { momentSchema, nullableText } from '#contract/values.ts';
import { ALL_NOTICE_KINDS, NOTICE_KINDS } from './labels.ts';

const NOTICES_MAX = 50;

const noticeSchema = z.object({
  id: noticeIdSchema,
  kind: z.enum(ALL_NOTICE_KINDS),
  createdAt: momentSchema,
  isRead: z.boolean(),
  text: z
    .string()
    .meta({ examples: ['Ana Lima passed you at Lydden Hill by 0.21 s: you went from P3 to P4.'] }),
  link: nullableText.meta({
    description: 'The path of the page of its subject on this site; null if that no longer exists.',
    examples: ['/track/lydden-hill?lap=0b6f3c52-7a54-4a5e-8f0e-6b1c2d3e4f50'],
  }),
  wantedTrackSet: z
    .string()
    .optional()
    .meta({
      description: 'The name of the set of tracks that another driver asks the user to get.',
      examples: ['open-racetrack-db'],
    }),
});

export type Notice = z.infer<typeof noticeSchema>;

const unread = z.int().meta({ description: 'Notices that were not read yet.', examples: [3] });

const kinds = z.array(z.enum(NOTICE_KINDS)).max(NOTICE_KINDS.length);

const settingsSchema = z.object({
  muted: kinds.meta({ description: 'The kinds of which the user wants no notices.' }),
  mutedInMail: kinds.meta({
    description: 'The kinds that the mails of the user leave out; they are still notices.',
  }),
});

export const noticeEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/notices',
    access: 'signed_in',
    summary: `Lists the notices of the signed-in user, latest first, ${NOTICES_MAX} at most.`,
    query: z.object({ limit: z.coerce.number().int().min(1).max(NOTICES_MAX).default(NOTICES_MAX) }),
    response: z.object({ notices: z.array(noticeSchema), unread }),
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/api/notices/read',
    access: 'signed_in',
    summary: 'Marks notices as read: this one, and all before it.',
    body: z.object({ untilId: noticeIdSchema }),
    response: z.object({ unread }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/notices/settings',
    access: 'signed_in',
    summary: 'Of which kinds the signed-in user wants no notices, or no mail.',
    response: settingsSchema,
  }),
  changeSettings: endpoint({
    method: 'PUT',
    path: '/api/notices/settings',
    access: 'signed_in',
    summary:
      'Says of which kinds the signed-in user wants no notices, or no mail, from now on. Without `mutedInMail` that stays.',
    body: settingsSchema.partial({ mutedInMail: true }),
    response: settingsSchema,
  }),
};
