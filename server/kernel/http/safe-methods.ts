/** The methods that change nothing (RFC 9110, 9.2.1) and have no body. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
