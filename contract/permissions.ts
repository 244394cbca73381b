/** Who asks: a signed-in user, as far as permissions care. */
export type Viewer = { id: string; isAdmin: boolean };

/** Only their owner changes a profile, a garage or a session. */
export function mayChange(viewer: Viewer | null, ownerId: string): boolean {
  return viewer !== null && viewer.id === ownerId;
}

/** Only administrators add tracks and car models. */
export function mayAdminister(viewer: Viewer | null): boolean {
  return viewer !== null && viewer.isAdmin;
}
