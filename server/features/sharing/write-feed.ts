import { formatLapTime } from '#engine/lap-time.ts';
import { escapeHtml } from '#server/kernel/html.ts';
import type { TrackRecord } from './sharing-store.ts';

export function writeFeed(
  records: readonly TrackRecord[],
  { siteName, publicUrl, self, now }: { siteName: string; publicUrl: string; self: string; now: Date },
): string {
  const entries = records.map(({ trackId, trackName, lapId, lapTimeMs, driverName, setAt }) => {
    const link = escapeXml(`${publicUrl}/track/${trackId}?lap=${lapId}`);
    return `<entry>
<id>${link}</id>
<title>${escapeXml(`${trackName}: ${formatLapTime(lapTimeMs)} by ${driverName}`)}</title>
<updated>${setAt}</updated>
<author><name>${escapeXml(driverName)}</name></author>
<link href="${link}"/>
<summary>${escapeXml(`${driverName} holds the track record of ${trackName} with ${formatLapTime(lapTimeMs)}.`)}</summary>
</entry>
`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(publicUrl + self)}</id>
<title>${escapeXml(siteName)}: track records</title>
<updated>${records[0]?.setAt ?? now.toISOString()}</updated>
<link rel="self" href="${escapeXml(publicUrl + self)}"/>
<link href="${escapeXml(publicUrl)}/"/>
${entries.join('')}</feed>
`;
}

/** XML cannot hold control characters, not even escaped. */
function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(/\p{Cc}/gu, ' '));
}
