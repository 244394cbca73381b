/** The simulated lap files of `data/lap-files` with which visitors can try an upload, each in another format. */
export const SAMPLE_LAP_FILES = [
  { fileName: 'laguna-seca-racechrono.csv', trackName: 'Laguna Seca', format: 'RaceChrono CSV' },
  { fileName: 'waterford-hills-25hz.csv', trackName: 'Waterford Hills', format: 'plain CSV' },
  { fileName: 'zandvoort-5hz.gpx', trackName: 'Zandvoort', format: 'GPX' },
  { fileName: 'mugello-aim.xrk', trackName: 'Mugello', format: 'AiM .xrk' },
  { fileName: 'spa-session.rcz', trackName: 'Spa', format: 'RaceChrono .rcz' },
  { fileName: 'suzuka-catalyst.fit', trackName: 'Suzuka', format: 'FIT' },
  { fileName: 'silverstone-gopro.csv', trackName: 'Silverstone', format: 'GPS of a GoPro' },
] as const;

/** The cache in which the browser and the service worker keep lap files until their upload, each as a response. */
export const LAP_FILE_CACHE = {
  name: 'lap-files',
  folder: '/lap-files-of-this-browser/',
  headers: {
    /** The id of the user who chose the file; empty for a file that another app has shared. */
    owner: 'x-owner',
    name: 'x-name',
    lastModified: 'x-last-modified',
    keptAt: 'x-kept-at',
    /** The token of a file that the server has analysed; absent before the analysis. */
    token: 'x-token',
  },
} as const;
