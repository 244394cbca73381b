import { lapNumberAt, timeLabel } from '../simulation/drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from '../simulation/drive.ts';

/** Writes a drive in the formats of XML that have no writer in `simulation/`, by the name of the format. */
export const XML_WRITERS = {
  tcx: writeTcx,
  kml: writeKml,
  'harrys-xml': writeHarrysXml,
} satisfies Record<string, (drive: SimulatedDrive) => string>;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

function writeTcx({ fixes }: SimulatedDrive): string {
  const start = timeLabel(fixes[0]?.timeMs ?? 0);
  return `${DECLARATION}<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
<Activities><Activity Sport="Other"><Id>${start}Z</Id><Lap StartTime="${start}Z"><TriggerMethod>Manual</TriggerMethod><Track>
${fixes.map(writeTrackpoint).join('\n')}
</Track></Lap></Activity></Activities>
</TrainingCenterDatabase>
`;
}

function writeTrackpoint({ timeMs, lat, lon, speedMetersPerSecond }: DrivenFix): string {
  const position = `<Position><LatitudeDegrees>${lat.toFixed(8)}</LatitudeDegrees><LongitudeDegrees>${lon.toFixed(8)}</LongitudeDegrees></Position>`;
  const speed = Number.isNaN(speedMetersPerSecond)
    ? ''
    : `<Extensions><ns3:TPX><ns3:Speed>${speedMetersPerSecond.toFixed(3)}</ns3:Speed></ns3:TPX></Extensions>`;
  return `<Trackpoint><Time>${timeLabel(timeMs)}Z</Time>${position}${speed}</Trackpoint>`;
}

/** Writes each time before its position, as some writers do; others list all times first. */
function writeKml({ fixes }: SimulatedDrive): string {
  return `${DECLARATION}<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
<Document><Placemark><gx:Track>
${fixes.map(writeTimedCoordinate).join('\n')}
</gx:Track></Placemark></Document>
</kml>
`;
}

function writeTimedCoordinate({ timeMs, lat, lon }: DrivenFix): string {
  return `<when>${timeLabel(timeMs)}Z</when><gx:coord>${lon.toFixed(8)} ${lat.toFixed(8)} 0</gx:coord>`;
}

/** Writes a lap for every run of fixes; the first one, up to the line, has the number 0. */
function writeHarrysXml({ fixes, trueLaps }: SimulatedDrive): string {
  let before = -1;
  const lines = fixes.map((fix) => {
    const number = lapNumberAt(trueLaps, fix.timeMs);
    const end = before < 0 ? '' : '</recording></lap>\n';
    const start = number === before ? '' : `${end}<lap index="${number}"><recording>\n`;
    before = number;
    return `${start}${writeFix(fix, trueLaps[number - 1]?.startTimeMs ?? fixes[0]?.timeMs ?? 0)}`;
  });
  return `${DECLARATION}<LapTimerDB>\n${lines.join('\n')}\n</recording></lap>\n</LapTimerDB>\n`;
}

function writeFix({ timeMs, lat, lon, speedMetersPerSecond }: DrivenFix, startMs: number): string {
  const lapSeconds = (timeMs - startMs) / 1000;
  const minutes = String(Math.floor(lapSeconds / 60)).padStart(2, '0');
  const relative =
    lapSeconds < 0 ? '' : `${(30 * lapSeconds).toFixed(1)},${minutes}:${(lapSeconds % 60).toFixed(3)}`;
  const speed = Number.isNaN(speedMetersPerSecond) ? '' : (3.6 * speedMetersPerSecond).toFixed(2);
  return `<fix index="1"><date>${formatDate(timeMs)}</date><coordinate>${lat.toFixed(8)},${lon.toFixed(8)},0.0</coordinate><speed>${speed}</speed><relativeToStart>${relative}</relativeToStart><acceleration><coordinate>0.1,0.1</coordinate></acceleration></fix>`;
}

/** Formats `16-MAY-26,09:30:00.040`. */
function formatDate(timeMs: number): string {
  const [date = '', time = ''] = timeLabel(timeMs).split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return `${day}-${MONTHS[Number(month) - 1]}-${year.slice(2)},${time}`;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
