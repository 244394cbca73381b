// No schema in this file: the browser takes the names without taking the validator with them.

/** Lap files of `data/lap-files` that anybody may try an upload with: simulated, each in another format. */
export const SAMPLE_LAP_FILES = [
  { fileName: 'laguna-seca-racechrono.csv', trackName: 'Laguna Seca', format: 'RaceChrono CSV' },
  { fileName: 'waterford-hills-25hz.csv', trackName: 'Waterford Hills', format: 'plain CSV' },
  { fileName: 'zandvoort-5hz.gpx', trackName: 'Zandvoort', format: 'GPX' },
  { fileName: 'mugello-aim.xrk', trackName: 'Mugello', format: 'AiM .xrk' },
  { fileName: 'spa-session.rcz', trackName: 'Spa', format: 'RaceChrono .rcz' },
  { fileName: 'suzuka-catalyst.fit', trackName: 'Suzuka', format: 'FIT' },
  { fileName: 'silverstone-gopro.csv', trackName: 'Silverstone', format: 'GPS of a GoPro' },
] as const;

/** Where browser and service worker keep lap files that are not uploaded yet: each is a response in the browser's cache. */
export const LAP_FILE_CACHE = {
  name: 'lap-files',
  folder: '/lap-files-of-this-browser/',
  headers: {
    /** The id of the user who chose the file; empty for one that another app has shared. */
    owner: 'x-owner',
    name: 'x-name',
    lastModified: 'x-last-modified',
    keptAt: 'x-kept-at',
    /** By which the server knows a file that it has analysed; missing before. */
    token: 'x-token',
  },
} as const;
