/** Why a sign-in came to nothing: the login page is opened with `?error=` and one of these. */
export const SIGN_IN_ERRORS = {
  cancelled: 'The sign-in was cancelled.',
  expired: 'The sign-in took too long or was begun in another browser. Please try again.',
  failed: 'The sign-in did not work. Please try again.',
  suspended: 'This account is suspended. Write to the people who run this site.',
  linked: 'That identity belongs to another account here already, so it was not linked.',
  unavailable: 'The sign-in provider does not answer just now. Please try again in a minute.',
} as const;

export type SignInError = keyof typeof SIGN_IN_ERRORS;
