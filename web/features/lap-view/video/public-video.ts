/** A video on another site, as its link names it. */
export type PublicVideo = {
  site: 'YouTube' | 'Vimeo';
  id: string;
  /** Unlisted videos of Vimeo have one. */
  hash: string | null;
  /** The second at which the session begins, by `t=` or `start=` of the link; null without one. */
  startSeconds: number | null;
};

const YOUTUBE_HOSTS = new Set(['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtube-nocookie.com']);

/** Reads the link of a session; null where no player of that site can be shown. */
export function parsePublicVideo(link: string | null): PublicVideo | null {
  if (link === null || !URL.canParse(link)) return null;
  const { hostname, pathname, searchParams, hash } = new URL(link);
  const host = hostname.replace(/^www\./, '');
  const segments = pathname.split('/').filter(Boolean);
  const startSeconds = parseStart(
    searchParams.get('t') ?? searchParams.get('start') ?? /[#&]t=([^&]+)/.exec(hash)?.[1] ?? null,
  );
  const youTubeId = findYouTubeId(host, segments, searchParams);
  if (youTubeId !== null) return { site: 'YouTube', id: youTubeId, hash: null, startSeconds };
  const vimeo =
    host === 'vimeo.com' || host === 'player.vimeo.com' ? findVimeo(segments, searchParams) : null;
  return vimeo && { site: 'Vimeo', ...vimeo, startSeconds };
}

function findVimeo(
  segments: readonly string[],
  query: URLSearchParams,
): Pick<PublicVideo, 'id' | 'hash'> | null {
  const index = segments.findIndex((segment) => /^[1-9]\d{0,11}$/.test(segment));
  const id = segments[index];
  if (id === undefined) return null;
  const after = query.get('h') ?? segments[index + 1] ?? '';
  return { id, hash: /^[0-9a-f]{6,20}$/.test(after) ? after : null };
}

function findYouTubeId(host: string, segments: readonly string[], query: URLSearchParams): string | null {
  const isPath = YOUTUBE_HOSTS.has(host) && /^(?:embed|shorts|live|v)$/.test(segments[0] ?? '');
  const id =
    host === 'youtu.be'
      ? segments[0]
      : isPath
        ? segments[1]
        : YOUTUBE_HOSTS.has(host)
          ? query.get('v')
          : null;
  return id && /^[\w-]{11}$/.test(id) ? id : null;
}

/** Parses `95`, `95s`, `1m35s` and `1h2m3s`. */
function parseStart(text: string | null): number | null {
  const match = /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,6}(?:\.\d{1,3})?)s?)?$/.exec(text ?? '');
  if (!text || !match) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return hours * 3_600 + minutes * 60 + seconds;
}

/** Returns the key under which the anchors of the video are stored. */
export function keyOfPublicVideo({ site, id }: PublicVideo): string {
  return `${site.toLowerCase()}:${id}`;
}

export const PLAYER_ORIGINS = {
  YouTube: 'https://www.youtube-nocookie.com',
  Vimeo: 'https://player.vimeo.com',
} as const;

/** Builds the URL of the player. It obeys messages, and keeps no cookies where the site offers that. */
export function buildPlayerUrl({ site, id, hash }: PublicVideo, ownOrigin: string): string {
  if (site === 'YouTube') {
    const query = new URLSearchParams({
      enablejsapi: '1',
      origin: ownOrigin,
      mute: '1',
      rel: '0',
      playsinline: '1',
    });
    return `${PLAYER_ORIGINS.YouTube}/embed/${id}?${query.toString()}`;
  }
  const query = new URLSearchParams({ dnt: '1', muted: '1', ...(hash !== null && { h: hash }) });
  return `${PLAYER_ORIGINS.Vimeo}/video/${id}?${query.toString()}`;
}
