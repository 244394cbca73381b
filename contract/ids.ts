import { z } from 'zod';

// An id of one kind is no id of another kind: the compiler refuses the id of a lap where that of a user belongs.

export const trackIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'A track id has small letters, digits and hyphens.')
  .brand<'TrackId'>()
  .meta({ examples: ['lydden-hill-rallycross'] });

export type TrackId = z.infer<typeof trackIdSchema>;

/** Identifies a course: an outline that a set of tracks names, without a start line. */
export const courseIdSchema = z.uuid().brand<'CourseId'>();

export type CourseId = z.infer<typeof courseIdSchema>;

export const sessionIdSchema = z.uuid().brand<'SessionId'>();

export type SessionId = z.infer<typeof sessionIdSchema>;

/** Stays the same for as long as the lap exists, also when its file is timed again. */
export const lapIdSchema = z
  .uuid()
  .brand<'LapId'>()
  .meta({ examples: ['2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934'] });

export type LapId = z.infer<typeof lapIdSchema>;

export const userIdSchema = z.uuid().brand<'UserId'>();

export type UserId = z.infer<typeof userIdSchema>;

export const carModelIdSchema = z.uuid().brand<'CarModelId'>();

export type CarModelId = z.infer<typeof carModelIdSchema>;

export const userCarIdSchema = z.uuid().brand<'UserCarId'>();

export type UserCarId = z.infer<typeof userCarIdSchema>;

/** Identifies a verdict on a lap. */
export type DecisionId = string & z.$brand<'DecisionId'>;

/** Ascends in the order of the changes of a track. */
export const eventIdSchema = z.int().brand<'EventId'>();

export type EventId = z.infer<typeof eventIdSchema>;

/** Ascends in the order in which notices are made. */
export const noticeIdSchema = z.int().nonnegative().brand<'NoticeId'>();

export type NoticeId = z.infer<typeof noticeIdSchema>;

/** Identifies a file that a driver sent to the owners because it was refused. */
export const refusedFileIdSchema = z.uuid().brand<'RefusedFileId'>();

export type RefusedFileId = z.infer<typeof refusedFileIdSchema>;

/** Identifies a saved comparison. */
export const comparisonIdSchema = z.uuid().brand<'ComparisonId'>();

export type ComparisonId = z.infer<typeof comparisonIdSchema>;

export const webhookIdSchema = z.uuid().brand<'WebhookId'>();

export type WebhookId = z.infer<typeof webhookIdSchema>;

export const webhookDeliveryIdSchema = z.int().brand<'WebhookDeliveryId'>();

export type WebhookDeliveryId = z.infer<typeof webhookDeliveryIdSchema>;

export const apiTokenIdSchema = z.uuid().brand<'ApiTokenId'>();

export type ApiTokenId = z.infer<typeof apiTokenIdSchema>;

/** Identifies an invitation in lists; gives no access, which only its link does. */
export const invitationIdSchema = z.uuid().brand<'InvitationId'>();

export type InvitationId = z.infer<typeof invitationIdSchema>;

export const passkeyIdSchema = z.uuid().brand<'PasskeyId'>();

export type PasskeyId = z.infer<typeof passkeyIdSchema>;

/** Identifies the sign-in of one browser in the list of devices; gives no access. */
export const authSessionIdSchema = z.uuid().brand<'AuthSessionId'>();

export type AuthSessionId = z.infer<typeof authSessionIdSchema>;

export const raceEventIdSchema = z.uuid().brand<'RaceEventId'>();

export type RaceEventId = z.infer<typeof raceEventIdSchema>;

export const raceEventClassIdSchema = z.uuid().brand<'RaceEventClassId'>();

export type RaceEventClassId = z.infer<typeof raceEventClassIdSchema>;

export const raceEventEntryIdSchema = z.uuid().brand<'RaceEventEntryId'>();

export type RaceEventEntryId = z.infer<typeof raceEventEntryIdSchema>;

export const raceEventRunIdSchema = z.uuid().brand<'RaceEventRunId'>();

export type RaceEventRunId = z.infer<typeof raceEventRunIdSchema>;
