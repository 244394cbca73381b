/** The part of an e-mail address before the @; null without an address. */
export function usernameOf(email: string | null): string | null {
  const localPart = email?.split('@')[0] ?? '';
  return localPart === '' ? null : localPart;
}
