/** Who asks: a signed-in user, as far as permissions care. */
export type Viewer = { id: string; isAdmin: boolean };

/** Only administrators add tracks and car models. */
export function mayAdminister(viewer: Viewer | null): boolean {
  return viewer !== null && viewer.isAdmin;
}
