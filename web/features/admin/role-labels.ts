import type { Role } from '#contract/people/labels.ts';

/** What each role is called on the screen. */
export const ROLE_LABELS: Record<Role, string> = {
  member: 'Member',
  moderator: 'Moderator',
  admin: 'Administrator',
  owner: 'Owner',
};
