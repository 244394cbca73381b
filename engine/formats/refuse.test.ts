import { expect, test } from 'vitest';
import { UnreadableLapFileError } from '../lap-file.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import { readLapFile } from './recognise.ts';

function refusal(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  try {
    readLapFile(bytes);
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return error.message;
    throw error;
  }
  throw new Error('The file was read.');
}

function latin1(text: string, length = text.length): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  return bytes;
}

function zip(...names: string[]): Uint8Array {
  return writeZip(names.map((name) => [name, new TextEncoder().encode('{}')]));
}

test.each([
  ['nothing', '', /empty/],
  ['blank lines', '\r\n\r\n  \n', /empty/],
  ['a byte-order mark alone', '\ufeff', /empty/],
  ['KML without times', '<?xml version="1.0"?>\n <kml xmlns="x"><Document/></kml>', /KML file has no times/],
  ['a web page', '<!DOCTYPE html><html><body>404</body></html>', /web page/],
  [
    'TCX without track points',
    '<?xml version="1.0"?><TrainingCenterDatabase/>',
    /TCX file has no track points/,
  ],
  ["Harry's laps alone", '<LapTimerDB><lap index="1"/></LapTimerDB>', /laps without their recordings/],
  ['other XML', '<lap><fix/></lap>', /XML file but not GPX/],
  ['JSON', '[{"timestamp":"083217.200","pointgps":[41.1,0.4]}]', /JSON/],
  ['a JSON object', '{\n  "type": "FeatureCollection" }', /JSON/],
  ['NMEA without positions', '$GPGSV,3,1,11,03,03,111,00\n$GPGSA,A,3,04\n', /NMEA log without positions/],
  ['NMEA from a spreadsheet', '$GPRMC;093012.40;A;4805.9568;N;01135.935;E\n', /spreadsheet has saved again/],
  ['NMEA in quotes', '"$GPGGA","093012.40","4805.9568","N"\n', /spreadsheet has saved again/],
  [
    'VBO without rows',
    'File created on 14/08/2016 @ 16:57\n\n[header]\nsatellites\n',
    /VBO file has no rows/,
  ],
  ['RaceCapture without positions', '"Interval"|"ms"|0|0|1,"Utc"|"ms"|0|0|1\n1,2\n', /no GPS positions/],
  ['a table without positions', 'Time,Speed (km/h)\n00:00:00,0\n', /no columns with latitudes/],
  ['more columns than any logger has', `${'x,'.repeat(30_000)}time,lat,lon\n1,2\n`, /20,000 columns or more/],
  ['prose', 'Dear driver\nthis is a letter', /not a lap file/],
])('%s is refused with its own sentence', (_, content, sentence) => {
  expect(refusal(content)).toMatch(sentence);
});

test.each([
  ['PNG', latin1('\u0089PNG\r\n\u001a\n'), /picture/],
  ['JPEG', latin1('\u00ff\u00d8\u00ff\u00e0'), /picture/],
  ['HEIC', latin1('\0\0\0\u0018ftypheic'), /picture/],
  ['MP4', latin1('\0\0\0\u0018ftypisom'), /video/],
  ['FIT', latin1('\u000e\u0010\u0000\u0000\u0000\u0000\u0000\u0000.FIT'), /FIT file holds no recorded/],
  ['PDF', latin1('%PDF-1.7'), /PDF/],
  ['gzip', latin1('\u001f\u008b\u0008'), /gzip/],
  ['half a ZIP archive', latin1('PK\u0003\u0004....laps.csv'), /ZIP archive is not whole/],
  ['an Excel workbook', zip('[Content_Types].xml', 'xl/workbook.xml'), /Excel/],
  ['an old Excel workbook', latin1('\u00d0\u00cf\u0011\u00e0'), /Excel/],
  ['KMZ without times', writeZip([['doc.kml', new TextEncoder().encode('<kml/>')]]), /KML file has no times/],
  ['a ZIP archive of pictures', zip('one.jpg', 'two.jpg'), /no lap file/],
  ['a ZIP archive of several lap files', zip('one.csv', 'day/two.gpx'), /holds 2 lap files/],
  ['an empty session of RaceChrono', zip('session_1/session.json'), /no rows/],
  ['AiM', latin1('<hCNF\u0000'), /AiM file holds no recording/],
  ["AiM's .drk", latin1('RDX\u0002', 2000), /older AiM logger \(\.drk\)/],
  ["the .gpk beside AiM's .drk", latin1(`PROV${'\0'.repeat(12)}PROV`, 2000), /GPS file \(\.gpk\)/],
  ['Unipro', latin1('UUni\u0000\u0000\u0000\u0001RECRDATE', 2000), /Unipro Analyser/],
  ['a track of Alfano', latin1('*P* A', 8192), /track for Alfano/],
  ['another file of Alfano', latin1('\u0001\u0002\u0003\u0004ALFANO 6', 2000), /Alfano ADA as classic Excel/],
  ['noise', Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256), /not a text file/],
  ['zeros', new Uint8Array(5000), /not a text file/],
])('%s is refused with its own sentence, whatever its name', (_, bytes, sentence) => {
  expect(refusal(bytes)).toMatch(sentence);
});

test('what a computer or a person puts beside the lap file in an archive is no second one', () => {
  const names = ['run.csv', 'README.txt', 'day/Licence.md', '__MACOSX/._run.csv', '.DS_Store'];
  expect(refusal(zip(...names))).toMatch(/JSON/);
  expect(refusal(zip(...names, 'notes.csv'))).toMatch(/holds 2 lap files/);
});

test('every refusal is one sentence that begins with what the file is', () => {
  const messages = ['', 'Dear driver', 'a,b\n1,2', '<kml/>', '{}', '<x/>', '$GPGSA,1\n'].map(refusal);
  for (const message of messages) expect(message).toMatch(/^This [^.]*\.$/);
});
