/**
 * The things with which somebody gets into an account, or lets others in or see the drive of this moment, in the order in which they end. Sessions are
 * last, after everything that starts one.
 */
export const ENDING_THINGS = [
  'password',
  'passkeys',
  'recoveryCodes',
  'linkedIdentities',
  'apiTokens',
  'liveSharing',
  'signInLinks',
  'resetLinks',
  'confirmationLinks',
  'linksMade',
  'thisSession',
  'otherSessions',
] as const;

export type EndingThing = (typeof ENDING_THINGS)[number];

/**
 * `one` ends the one thing that the event is about. `asks` keeps the thing unless the person chooses to end it. A thing
 * that is not named is kept.
 */
export type Ending = 'ends' | 'one' | 'asks';

/** The user deletes the account and may keep it for seven days: the ways in stay for that. */
const ENDS_ON_LEAVING = {
  liveSharing: 'ends',
  signInLinks: 'ends',
  resetLinks: 'ends',
  confirmationLinks: 'ends',
  linksMade: 'ends',
  otherSessions: 'ends',
} as const satisfies Partial<Record<EndingThing, Ending>>;

const ENDS_ALL = {
  ...ENDS_ON_LEAVING,
  password: 'ends',
  passkeys: 'ends',
  recoveryCodes: 'ends',
  linkedIdentities: 'ends',
  apiTokens: 'ends',
  thisSession: 'ends',
} as const satisfies Record<EndingThing, Ending>;

/** The old password may be known to a thief, so the person is only asked about what is in their own hands. */
const ENDS_WITH_PASSWORD = {
  ...ENDS_ON_LEAVING,
  password: 'ends',
  passkeys: 'asks',
  recoveryCodes: 'ends',
  linkedIdentities: 'asks',
  apiTokens: 'ends',
} as const satisfies Partial<Record<EndingThing, Ending>>;

/**
 * Says what ends with what; docs/authentication.md shows the same table. The event stream of a session ends with the
 * session. `endByEvent` of ending-store.ts applies the table; no other code ends any of these things.
 */
export const WHAT_ENDS = {
  /** A mailed link is opened for an address that was not verified: somebody else may have made the account. */
  emailFirstProved: ENDS_ALL,
  passwordChanged: ENDS_WITH_PASSWORD,
  passwordReset: { ...ENDS_WITH_PASSWORD, thisSession: 'ends' },
  recoveryCodeUsed: { ...ENDS_WITH_PASSWORD, thisSession: 'ends' },
  roleLowered: { linksMade: 'ends' },
  suspended: { ...ENDS_ON_LEAVING, apiTokens: 'ends', thisSession: 'ends' },
  restored: {},
  left: ENDS_ON_LEAVING,
  removed: ENDS_ALL,
  signedIn: { thisSession: 'ends' },
  signedOut: { thisSession: 'ends' },
  signedOutElsewhere: { otherSessions: 'ends', signInLinks: 'ends', liveSharing: 'ends' },
  deviceSignedOut: { otherSessions: 'one' },
  passkeyRemoved: { passkeys: 'one' },
  recoveryCodesReplaced: { recoveryCodes: 'ends' },
  providerUnlinked: { linkedIdentities: 'ends' },
  apiTokenRevoked: { apiTokens: 'one' },
  invitationWithdrawn: { linksMade: 'one' },
} as const satisfies Record<string, Partial<Record<EndingThing, Ending>>>;

export type EndingEvent = keyof typeof WHAT_ENDS;

/** Finds whether a thing ends with an event; null where it is kept. */
export function findEnding(event: EndingEvent, thing: EndingThing): Ending | null {
  const endings: Partial<Record<EndingThing, Ending>> = WHAT_ENDS[event];
  return endings[thing] ?? null;
}
