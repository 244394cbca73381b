import type { SessionId } from '#contract/ids.ts';
import { fitVideoClock, type Anchor } from '#engine/video/video-clock.ts';

// Anchors that a reader sets for the laps of somebody else stay in their browser.

const nameOf = (sessionId: SessionId, key: string) => `pitboard.video.${sessionId}.${key}`;

/** Reads the anchors that this reader has set; none where the browser keeps nothing or something else. */
export function readOwnAnchors(sessionId: SessionId, key: string): Anchor[] {
  if (key === '') return [];
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(nameOf(sessionId, key)) ?? '[]');
    if (!Array.isArray(parsed)) return [];
    const anchors = parsed.slice(0, 2).flatMap((one: Partial<Anchor> | null) => {
      const { videoSeconds, timeMs } = one ?? {};
      return Number.isFinite(videoSeconds) && Number.isFinite(timeMs)
        ? [{ videoSeconds: Number(videoSeconds), timeMs: Number(timeMs) }]
        : [];
    });
    return fitVideoClock(anchors) ? anchors : [];
  } catch {
    return [];
  }
}

/** Keeps the anchors of this reader, or forgets them where there are none. */
export function writeOwnAnchors(sessionId: SessionId, key: string, anchors: readonly Anchor[]): void {
  if (key === '') return;
  try {
    if (anchors.length === 0) localStorage.removeItem(nameOf(sessionId, key));
    else localStorage.setItem(nameOf(sessionId, key), JSON.stringify(anchors));
  } catch {
    // The anchors last as long as the page where there is no storage.
  }
}
