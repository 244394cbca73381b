import type { TrackOrigin } from '#contract/tracks/schemas.ts';
import type { TrackSet } from '#contract/tracks/sets.ts';

/** Describes a set that its makers publish, as the list in the program names it. */
export type PublishedSet = Pick<
  TrackSet,
  'name' | 'title' | 'summary' | 'licence' | 'attribution' | 'sourceUrl' | 'commit' | 'approximateBytes'
> & {
  /** A ZIP archive of that commit. Its host packs it again for each call, so it has no steady hash. */
  archiveUrl: string;
  archiveBytesMax: number;
  /** Matches the files of the set by their paths within the archive, below its only folder. */
  files: RegExp;
  /** Says whether folders have a `track.json`, which names the layouts below it. */
  hasVenueFiles: boolean;
  /** An archive with fewer readable layouts is not the set. */
  layoutsMin: number;
};

const MEBIBYTE = 1024 * 1024;

function describeRepository(repository: string, commit: string) {
  return {
    commit,
    sourceUrl: `https://github.com/${repository}`,
    archiveUrl: `https://codeload.github.com/${repository}/zip/${commit}`,
  };
}

const PUBLISHED_SETS: readonly PublishedSet[] = [
  {
    name: 'open-racetrack-db',
    title: 'Open Racetrack Database',
    summary: '763 venues, 976 layouts',
    licence: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
    ...describeRepository('markthebault/open-racetrack-db', '99ed232a7f48cfddbe03f1c75fc3946a06fe187c'),
    approximateBytes: null,
    // Its maps and pictures of sources are in the archive, too.
    archiveBytesMax: 512 * MEBIBYTE,
    files: /^data\/[^/]+\/[^/]+\/(?:track\.json|layouts\/[^/]+\.geojson)$/,
    hasVenueFiles: true,
    layoutsMin: 700,
  },
  {
    name: 'track-data',
    title: 'zaggyai/track_data',
    summary: '5,500 layouts',
    licence: 'MIT by its licence file, sources not named',
    attribution: '© 2024 zaggy.ai',
    ...describeRepository('zaggyai/track_data', 'a8b7ba4a434bccdb9bf5e7d548f9b0cb9c7c05ce'),
    approximateBytes: 10_192_889,
    archiveBytesMax: 64 * MEBIBYTE,
    files: /^data\/[^/]+\.json$/,
    hasVenueFiles: false,
    layoutsMin: 5_000,
  },
  {
    name: 'f1-circuits',
    title: 'Formula 1 circuits of bacinger',
    summary: '40 circuits',
    licence: 'MIT',
    attribution: '© 2019-2025 Tomislav Bacinger',
    ...describeRepository('bacinger/f1-circuits', '4c9c9aaae234172c52b7edac1d5d2a42e897eed8'),
    approximateBytes: 96_092,
    archiveBytesMax: 16 * MEBIBYTE,
    files: /^circuits\/[^/]+\.geojson$/,
    hasVenueFiles: false,
    layoutsMin: 35,
  },
  {
    name: 'racetrackdb',
    title: 'LapsHub RacetrackDB',
    summary: '17 circuits with outlines',
    licence: 'MIT',
    attribution: '© 2024 Orcha Software LLC',
    ...describeRepository('lapshubdev/racetrackdb', '54b01827bdab8059556c255b1c1b73322cd187e2'),
    approximateBytes: 134_239,
    archiveBytesMax: 16 * MEBIBYTE,
    files: /^racetracks\.json$/,
    hasVenueFiles: false,
    layoutsMin: 400,
  },
];

export function toOrigin({ name, title, sourceUrl, licence, attribution }: PublishedSet): TrackOrigin {
  return { set: name, title, sourceUrl, licence, attribution };
}

/** The sets that can be fetched. Only tests name others, which may lead to this computer. */
export type PublishedSets = { sets: readonly PublishedSet[]; allowsLoopback: boolean };

export const ALL_PUBLISHED_SETS: PublishedSets = { sets: PUBLISHED_SETS, allowsLoopback: false };
