import type { Role } from '#contract/people/labels.ts';

/** The label of each role on the screen. */
export const ROLE_LABELS: Record<Role, string> = {
  member: 'Member',
  moderator: 'Moderator',
  admin: 'Administrator',
  owner: 'Owner',
};
