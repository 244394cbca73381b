import type { Role } from '#contract/people/labels.ts';

export const ROLE_LABELS: Record<Role, string> = {
  member: 'Member',
  moderator: 'Moderator',
  admin: 'Administrator',
  owner: 'Owner',
};
