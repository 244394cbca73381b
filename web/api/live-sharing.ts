import type { LiveFix, LiveSharing } from '#contract/live/schemas.ts';
import { type RequestFor, sendCall } from './call-api.ts';

// The calls of the sender of live fixes, which runs beside all forms.

export type SharingOptions = RequestFor<'POST /api/live/sharing'>['body'];

export const postSharing = (body: SharingOptions): Promise<LiveSharing> =>
  sendCall('POST /api/live/sharing', { body });

export async function findSharing(): Promise<LiveSharing | null> {
  return (await sendCall('GET /api/live/sharing')).sharing;
}

export async function postFixes(
  sharingId: LiveSharing['sharingId'],
  fixes: readonly LiveFix[],
): Promise<void> {
  await sendCall('POST /api/live/sharing/fixes', { body: { sharingId, fixes: [...fixes] } });
}

export async function endSharing(): Promise<void> {
  await sendCall('DELETE /api/live/sharing');
}
