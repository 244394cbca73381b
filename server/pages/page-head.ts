import { z } from 'zod';
import type { PageName } from '#contract/pages.ts';
import type { Answer } from './render-page.ts';

/** What a page is called in a tab, in a list of search results, and where a link to it is shared. */
export type PageHead = {
  title: string;
  description: string;
  /** Of the page, '/leaderboards'; null where it is not worth a link. */
  path: string | null;
  /** The path of the picture that represents it. */
  image: string;
  /** What the page is about does not exist. */
  isMissing: boolean;
};

const DESCRIPTION =
  'Upload GPS lap files, prove your lap times and compare them with every rival on one leaderboard per track.';
const IMAGE = '/preview.png';

/** The headings of the pages, where they do not depend on anything; the web client puts the same ones into the tab. */
const HEADINGS: Partial<Record<PageName, string>> = {
  leaderboards: 'Track Leaderboards',
  profile: 'Profile',
  'edit-profile': 'Edit Profile',
  driver: 'Profile',
  upload: 'Upload Lap Data',
  'add-car': 'Add Car',
  login: 'Sign In',
  'import-tracks': 'Import Tracks',
  'apex-import': 'Admin Tools',
  'not-found': '404 Page Not Found',
};

const namedTrack = z.object({
  id: z.string(),
  name: z.string(),
  configuration: z.string().nullable(),
  location: z.string().nullable(),
});

const TRACK_CALL = /^\/api\/tracks\/[^/]+$/;

/** The head of the page at a path, by the answers that the page was rendered with. */
export function describePage(page: PageName, path: string, answers: ReadonlyMap<string, Answer>): PageHead {
  const [, track] = (page === 'track' && [...answers].find(([url]) => TRACK_CALL.test(url))) || [];
  if (track?.status === 200) return describeTrack(namedTrack.parse(JSON.parse(track.body)));
  const isMissing = track?.status === 404 || track?.status === 400;
  const heading = isMissing ? 'Track not found' : HEADINGS[page];
  return {
    title: heading ? `${heading} · Pitboard` : 'Pitboard',
    description: DESCRIPTION,
    path: isMissing || page === 'not-found' ? null : path,
    image: IMAGE,
    isMissing,
  };
}

function describeTrack({ id, name, configuration, location }: z.infer<typeof namedTrack>): PageHead {
  const track = configuration ? `${name} (${configuration})` : name;
  const path = encodeURIComponent(id);
  return {
    title: `${name} · Pitboard`,
    description: `The leaderboard of ${track}${location ? `, ${location}` : ''}: every driver’s best lap, timed from its GPS file.`,
    path: `/track/${path}`,
    image: `/api/tracks/${path}/preview.png`,
    isMissing: false,
  };
}
