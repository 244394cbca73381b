/**
 * Lists how the names of lap files end. Files are recognised by their content: this is for choosing among many, in the
 * picker of a browser or in a ZIP archive. Compressed ones may have `.gz` behind it.
 */
export const LAP_FILE_EXTENSIONS: readonly string[] = [
  '.csv',
  '.tsv',
  '.gpx',
  '.tcx',
  '.kml',
  '.kmz',
  '.hlptr',
  '.hlptrl',
  '.hlptrz',
  '.vbo',
  '.nmea',
  '.txt',
  '.log',
  '.sa',
  '.dove',
  '.dovex',
  '.fit',
  '.xrk',
  '.xrz',
  '.rcz',
  '.pbrec',
  '.ubx',
  '.vbb',
  '.bin',
  '.ld',
  '.adulog',
  '.run',
  '.ibt',
  '.zip',
];

/** Returns whether a name ends as those of lap files do, in any case. */
export function isLapFileName(name: string): boolean {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  return LAP_FILE_EXTENSIONS.some((extension) => plain.endsWith(extension));
}
