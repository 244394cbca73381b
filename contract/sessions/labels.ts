/** A deleted session can be restored for this long. */
export const RESTORABLE_SECONDS = 60;
