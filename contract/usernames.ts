/** The parts of a user that the username is made from. */
type Named = {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  displayName: string | null;
};

/**
 * What follows the @ on a profile: the part of the e-mail address before the @, else the name in plain lower-case letters,
 * such as `zoe.faber` for 'Zoë Faber'. Null without both.
 */
export function formatUsername({ email, firstName, lastName, displayName }: Named): string | null {
  const localPart = email?.split('@')[0] ?? '';
  if (localPart !== '') return localPart;
  const name = [firstName, lastName].filter(Boolean).join(' ') || (displayName ?? '');
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter(Boolean).join('.') || null;
}
