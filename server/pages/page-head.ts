import { z } from 'zod';
import { formatDate, type Formats } from '#contract/formats/labels.ts';
import { lapIdSchema, raceEventIdSchema, type TrackId, trackIdSchema } from '#contract/ids.ts';
import { describeLapsInTitle } from '#contract/lap-view/labels.ts';
import { formatCarName, tireLabel } from '#contract/laps/labels.ts';
import { RACE_EVENT_STATE_LABELS, RACE_EVENT_STATES } from '#contract/race-events/labels.ts';
import type { PageName } from '#contract/pages.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import type { Answer } from './render-page.ts';

export type PageHead = {
  title: string;
  description: string;
  /** The path of the page, such as '/leaderboards'; null for a page that is not worth a link. */
  path: string | null;
  image: string;
  /** True if the subject of the page does not exist. */
  isMissing: boolean;
};

const DESCRIPTION =
  'Upload GPS lap files, prove your lap times and compare them with every rival on one leaderboard per track.';
const IMAGE = '/preview.png';

/** These headings do not depend on data; the web client shows the same ones in the tab. */
const HEADINGS: Partial<Record<PageName, string>> = {
  leaderboards: 'Track Leaderboards',
  events: 'Events',
  event: 'Event',
  profile: 'Profile',
  'edit-profile': 'Edit Profile',
  'edit-notices': 'Edit Profile',
  'edit-sign-in': 'Edit Profile',
  'edit-tokens': 'Edit Profile',
  'edit-data': 'Edit Profile',
  driver: 'Profile',
  upload: 'Upload Lap Data',
  live: 'Live Session',
  'add-car': 'Add Car',
  login: 'Sign In',
  club: 'Overview',
  'club-people': 'People',
  'club-moderation': 'Moderation',
  drive: 'Drive',
  'import-tracks': 'Import Tracks',
  'apex-import': 'Admin Tools',
  'club-events': 'Events',
  'club-operations': 'Operations',
  'club-audit': 'Audit Log',
  'not-found': '404 Page Not Found',
};

const namedTrack = z.object({
  id: trackIdSchema,
  name: z.string(),
  configuration: z.string().nullable(),
  location: z.string().nullable(),
});

type NamedTrack = z.infer<typeof namedTrack>;

const namedLap = z.object({
  lapId: lapIdSchema,
  lapTimeMs: z.number(),
  number: z.number(),
  driverId: z.string(),
  userName: z.string(),
  sessionId: z.string(),
  sessionDate: z.string(),
  carMake: z.string().nullable(),
  carModel: z.string().nullable(),
  carVariant: z.string().nullable(),
  tireCompound: z.string().nullable(),
  place: z.object({ rank: z.number(), drivers: z.number() }).nullable(),
});

type NamedLap = z.infer<typeof namedLap>;

const namedLive = z.object({
  session: z.object({
    code: z.string(),
    title: z.string().nullable(),
    track: z.object({ name: z.string() }),
  }),
});

const namedEvent = z.object({
  id: raceEventIdSchema,
  name: z.string(),
  firstDay: z.string(),
  lastDay: z.string(),
  state: z.enum(RACE_EVENT_STATES),
  courses: z.array(z.object({ name: z.string() })),
});

const MISSING = [400, 404];

const LIVE_CALL = /^\/api\/live\/[^/]+$/;

const EVENT_CALL = /^\/api\/events\/[^/]+$/;

const TRACK_CALL = /^\/api\/tracks\/[^/]+$/;

/** The pages of one subject each, with the call that answers it. */
const SUBJECTS: Partial<
  Record<PageName, { call: RegExp; describe: (answer: Answer, formats: Formats) => PageHead }>
> = {
  live: { call: LIVE_CALL, describe: describeLive },
  event: { call: EVENT_CALL, describe: describeEvent },
};

/** A page with the forms of its reader. */
type Address = { path: string; search: URLSearchParams; formats: Formats };

/** Describes the head of the page at a URL, from the answers with which the page was rendered. */
export function describePage(
  page: PageName,
  { path, search, formats }: Address,
  answers: ReadonlyMap<string, Answer>,
): PageHead {
  const track = page === 'track' ? findAnswer(answers, TRACK_CALL) : undefined;
  if (track?.status === 200) return describeTrackPage(track, { search, formats }, answers);
  const subject = SUBJECTS[page];
  const answer = subject && findAnswer(answers, subject.call);
  if (answer) return subject.describe(answer, formats);
  const isMissing = track !== undefined && MISSING.includes(track.status);
  const heading = isMissing ? 'Track not found' : HEADINGS[page];
  return {
    title: heading ? `${heading} · Pitboard` : 'Pitboard',
    description: DESCRIPTION,
    path: isMissing || page === 'not-found' ? null : path,
    // The path ends with the driver's id or name, as it was encoded.
    image: page === 'driver' ? `/api/users${path.slice(path.lastIndexOf('/'))}/preview.png` : IMAGE,
    isMissing,
  };
}

/** Finds the new path of a track's page after a merge; null for all other pages. */
export function findMovedPage(page: PageName, answers: ReadonlyMap<string, Answer>): string | null {
  const track = page === 'track' ? findAnswer(answers, TRACK_CALL) : undefined;
  if (track?.location === undefined) return null;
  return `/track/${track.location.slice(track.location.lastIndexOf('/') + 1)}`;
}

const findAnswer = (answers: ReadonlyMap<string, Answer>, call: RegExp): Answer | undefined =>
  [...answers].find(([url]) => call.test(url))?.[1];

/** Describes a live session; its link is shared by those who were given it, so no search engine gets a path. */
function describeLive({ status, body }: Answer): PageHead {
  const head = { description: DESCRIPTION, path: null, image: IMAGE, isMissing: status !== 200 };
  if (head.isMissing) return { ...head, title: 'Live Session Not Found · Pitboard' };
  const { session } = namedLive.parse(JSON.parse(body));
  const name = session.title ?? session.track.name;
  return {
    ...head,
    image: `/api/live/${session.code}/preview.png`,
    title: `${name}, Live · Pitboard`,
    description: `Laps, sectors and gaps at ${session.track.name}, as they are driven.`,
  };
}

/** Describes an event: its days, its courses and its state. */
function describeEvent({ status, body }: Answer, formats: Formats): PageHead {
  const head = { description: DESCRIPTION, path: null, image: IMAGE, isMissing: MISSING.includes(status) };
  if (status !== 200) return { ...head, title: `Event${head.isMissing ? ' not found' : ''} · Pitboard` };
  const event = namedEvent.parse(JSON.parse(body));
  const days = [...new Set([event.firstDay, event.lastDay])].map((day) => formatDate(formats, day));
  const tracks = [...new Set(event.courses.map(({ name }) => name))].join(' and ');
  return {
    ...head,
    title: `${event.name} · Pitboard`,
    description: `${days.join(' to ')} at ${tracks}. ${RACE_EVENT_STATE_LABELS[event.state]}: entries, runs and results by class.`,
    path: `/event/${event.id}`,
    image: `/api/events/${event.id}/preview.png`,
  };
}

function describeTrackPage(
  { body }: Answer,
  { search, formats }: Pick<Address, 'search' | 'formats'>,
  answers: ReadonlyMap<string, Answer>,
): PageHead {
  const track = namedTrack.parse(JSON.parse(body));
  return describeLaps(track, findLaps(track.id, search, answers), formats) ?? describeTrack(track);
}

/** Finds the laps that a URL names, the reference first; none where one of them does not exist. */
function findLaps(
  trackId: TrackId,
  search: URLSearchParams,
  answers: ReadonlyMap<string, Answer>,
): NamedLap[] {
  const lapIds = [search.get('lap') ?? '', ...(search.get('vs') ?? '').split(',')].filter(Boolean);
  const laps = lapIds.flatMap((lapId) => {
    const url = `/api/tracks/${encodeURIComponent(trackId)}/laps/${encodeURIComponent(lapId)}`;
    const answer = answers.get(url);
    return answer?.status === 200 ? [namedLap.parse(JSON.parse(answer.body))] : [];
  });
  return search.has('lap') && laps.length === lapIds.length ? laps : [];
}

/** Describes a lap or a comparison; null where there are no laps. */
function describeLaps(
  track: NamedTrack,
  [lap, ...others]: readonly NamedLap[],
  formats: Formats,
): PageHead | null {
  if (!lap) return null;
  const page = `/track/${encodeURIComponent(track.id)}?lap=${lap.lapId}`;
  const head = {
    image: `/api/tracks/${encodeURIComponent(track.id)}/laps/${lap.lapId}/preview.png`,
    isMissing: false,
  };
  const where = track.configuration ? `${track.name} (${track.configuration})` : track.name;
  const title = describeLapsInTitle([lap, ...others], formats, formatLapTime);
  if (others.length > 0) {
    return {
      ...head,
      image: `${head.image}?vs=${others[0]?.lapId}`,
      title: `${title} · ${track.name} · Pitboard`,
      description: `Where the time goes at ${where}: ${title}, compared straight by straight and corner by corner.`,
      path: `${page}&vs=${others.map(({ lapId }) => lapId).join(',')}`,
    };
  }
  const car = formatCarName(lap);
  const place = lap.place && `place ${lap.place.rank} of ${lap.place.drivers}`;
  const facts = [car, lap.tireCompound && tireLabel(lap.tireCompound), place].filter(Boolean).join(', ');
  const time = formatLapTime(lap.lapTimeMs);
  return {
    ...head,
    title: `${title} · ${track.name} · Pitboard`,
    description: `A lap of ${where} in ${time} by ${lap.userName}${facts ? `: ${facts}` : ''}. Timed from its GPS file.`,
    path: page,
  };
}

function describeTrack({ id, name, configuration, location }: NamedTrack): PageHead {
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
