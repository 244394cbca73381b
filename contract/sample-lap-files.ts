// No schema in this file: the browser takes the names without taking the validator with them.

/** Lap files of `data/lap-files` that anybody may try an upload with: simulated, each in another format. */
export const SAMPLE_LAP_FILES = [
  { fileName: 'laguna-seca-racechrono.csv', trackName: 'Laguna Seca', format: 'RaceChrono CSV' },
  { fileName: 'waterford-hills-25hz.csv', trackName: 'Waterford Hills', format: 'plain CSV' },
  { fileName: 'zandvoort-5hz.gpx', trackName: 'Zandvoort', format: 'GPX' },
] as const;
