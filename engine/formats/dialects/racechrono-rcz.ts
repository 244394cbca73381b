/**
 * Reads RaceChrono's session file (`.rcz`): what 'Share session' sends. Facts about the format: jLynx/RaceChrono-to-CSV,
 * apex-racechrono-studio, and two sessions of which the CSV exports are known.
 *
 * - A ZIP archive: `session.json` (laps), `sessionfragment.json` (which receiver counts), `trackId.json` (the lines),
 *   and one file per channel, `channel_{group}_{device}_{index}_{kind}_{type}`. Group 1 are receivers. Numbers are
 *   little-endian.
 * - Kinds: 1 times (64-bit milliseconds, UTC), 3 positions (two 32-bit numbers, degrees × 6,000,000, latitude first), 4
 *   speed in mm/s, 30007 accuracy in millimetres. All channels of a device have as many entries. The largest number
 *   means unknown.
 * - Channels of the car are in files of their own, `channel2_{group}_{device}_{kind}_{kind}_3` (64-bit floats), with their times in
 *   `channel_{group}_{device}_{kind}_1_1`. Known kinds, from a lap whose CSV export names them: 10024 engine revolutions, 10071 accelerator
 *   pedal and 1002 brake pedal, in percent.
 * - A shared lap has all laps of its session in the list, but positions of that lap only, and of some seconds around it.
 * - Lines are a middle, a bearing in thousandths of a degree and a width in millimetres; type 3 is start/finish.
 */
import { bearingVector, planeAround, toPosition, type Position } from '../../geo.ts';
import { UnreadableLapFileError, type LoggerLap } from '../../lap-file.ts';
import type { TimingLine } from '../../timing-line.ts';
import { AccuracyRecorder } from '../binary/accuracy-recorder.ts';
import type { ChannelName, Channels } from '../../channels.ts';
import { sampleSeries } from '../binary/channel-series.ts';
import { viewBytes } from '../binary/binary-format.ts';
import { listZipEntries, ZipReader, type ZipEntry } from '../binary/zip-archive.ts';
import { LapFileRecorder, type LapFileContent } from '../rows/lap-file-format.ts';
import { roundingBetween } from '../rows/lap-rounding.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { Inflate } from '../unpack.ts';

const CHANNEL = /(?:^|\/)channel_1_(\d{1,9})_(\d{1,9})_(\d{1,9})_\d+$/;
const KINDS = { times: '1', positions: '3', speed: '4', accuracy: '30007' };

/** Returns whether these are the files of a session. */
export function isRaceChronoSession(entries: readonly ZipEntry[]): boolean {
  return entries.some(({ name }) => /(?:^|\/)(?:session\.json|channel2?_\d)/.test(name));
}

/** Reads a session. Throws UnreadableLapFileError where it holds no timed position. */
export function readRaceChronoSession(bytes: Uint8Array, inflate: Inflate | null): LapFileContent {
  const entries = listZipEntries(bytes);
  const archive = new ZipReader(bytes, inflate);
  const json = (name: string) => readJson(entries, archive, name);
  const receiver = chooseReceiver(entries, json('sessionfragment.json'));
  const recorder = new LapFileRecorder();
  const accuracies = new AccuracyRecorder();
  for (const channels of receiver) readReceiver(channels, archive, { recorder, accuracies });
  const times = recorder.times();
  const { isReordered, ...recorded } = recorder.finish(
    () => 'utc',
    1,
    readCarChannels(entries, archive, times),
  );
  const { timesMs } = recorded.fixes;
  const span = { startMs: timesMs[0] ?? 0, endMs: timesMs.at(-1) ?? 0 };
  return {
    ...recorded,
    loggerLaps: isReordered ? [] : findLaps(json('session.json'), span),
    startFinishLine: findLine(json('trackId.json')),
    accuracy: accuracies.finish(times),
  };
}

/** Describes files of one receiver in one folder, by kind. */
type ReceiverChannels = ReadonlyMap<string, ZipEntry>;

/** Chooses the receiver that the session names, or else the one with most fixes; once for every folder that has it. */
function chooseReceiver(entries: readonly ZipEntry[], fragment: unknown): ReceiverChannels[] {
  const receivers = new Map<string, Map<string, Map<string, ZipEntry>>>();
  for (const entry of entries) {
    const [, device = '', index = '', kind = ''] = CHANNEL.exec(entry.name) ?? [];
    if (kind === '') continue;
    const folder = `${entry.name.slice(0, entry.name.lastIndexOf('/') + 1)} ${index}`;
    const folders = receivers.get(device) ?? new Map<string, Map<string, ZipEntry>>();
    const channels = folders.get(folder) ?? new Map<string, ZipEntry>();
    receivers.set(device, folders.set(folder, channels.set(kind, entry)));
  }
  const usable = [...receivers].map(([device, folders]) => ({
    device,
    parts: [...folders.values()].filter(
      (channels) => channels.has(KINDS.times) && channels.has(KINDS.positions),
    ),
  }));
  const positionBytes = (parts: readonly ReceiverChannels[]) =>
    parts.reduce((sum, channels) => sum + (channels.get(KINDS.positions)?.sizeBytes ?? 0), 0);
  const named = String(field(fragment, 'primaryGpsDeviceIndex'));
  const primary = usable.find(({ device, parts }) => device === named && positionBytes(parts) > 0);
  const [most] = usable.toSorted((a, b) => positionBytes(b.parts) - positionBytes(a.parts));
  return (primary ?? most)?.parts ?? [];
}

function readReceiver(
  channels: ReceiverChannels,
  archive: ZipReader,
  { recorder, accuracies }: { recorder: LapFileRecorder; accuracies: AccuracyRecorder },
): void {
  const view = (kind: string) => {
    const entry = channels.get(kind);
    return entry === undefined ? null : viewBytes(archive.read(entry));
  };
  const [times, positions] = [view(KINDS.times), view(KINDS.positions)];
  if (times === null || positions === null) return;
  const [speeds, accuracy] = [view(KINDS.speed), view(KINDS.accuracy)];
  const count = Math.min(times.byteLength, positions.byteLength) >> 3;
  for (let index = 0; index < count; index += 1) {
    const timeMs = Number(times.getBigInt64(8 * index, true));
    const [lat, lon] = [8 * index, 8 * index + 4].map((offset) => int32(positions, offset) / POSITION_UNITS);
    const speed = int32(speeds, 4 * index) / 1000;
    if (recorder.add(timeMs, lat ?? Number.NaN, lon ?? Number.NaN, speed))
      accuracies.add(int32(accuracy, 4 * index) / 1000);
  }
}

const CAR_CHANNEL = /(?:^|\/)channel2_(\d{1,9}_\d{1,9})_(\d{1,9})_\d{1,9}_3$/;
const CAR_KINDS: ReadonlyMap<string, ChannelName> = new Map([
  ['10024', 'rpm'],
  ['10071', 'throttle'],
  ['1002', 'brake'],
]);

/** Reads the channels of the car at the moments of the fixes; of several devices with the same one, the first. */
function readCarChannels(
  entries: readonly ZipEntry[],
  archive: ZipReader,
  fixTimesMs: Float64Array,
): Channels {
  const channels: Partial<Record<ChannelName, Float64Array>> = {};
  for (const entry of entries) {
    const [, device = '', kind = ''] = CAR_CHANNEL.exec(entry.name) ?? [];
    const channel = CAR_KINDS.get(kind);
    const folder = entry.name.slice(0, entry.name.lastIndexOf('/') + 1);
    const times = entries.find(({ name }) => name === `${folder}channel_${device}_${kind}_1_1`);
    if (channel === undefined || times === undefined || channels[channel] !== undefined) continue;
    const [timesView, valuesView] = [viewBytes(archive.read(times)), viewBytes(archive.read(entry))];
    const length = Math.min(timesView.byteLength, valuesView.byteLength) >> 3;
    const timesMs = Float64Array.from({ length }, (_, index) =>
      Number(timesView.getBigInt64(8 * index, true)),
    );
    const values = Float64Array.from({ length }, (_, index) => valuesView.getFloat64(8 * index, true));
    channels[channel] = sampleSeries({ channel, timesMs, values }, fixTimesMs);
  }
  return channels;
}

const POSITION_UNITS = 6_000_000;
const UNKNOWN = 2_147_483_647;

function int32(view: DataView | null, offset: number): number {
  if (view === null || offset + 4 > view.byteLength) return Number.NaN;
  const value = view.getInt32(offset, true);
  return value === UNKNOWN ? Number.NaN : value;
}

/** Finds the laps of the session whose two ends lie in the recording; those that RaceChrono itself calls invalid are left out. */
function findLaps(session: unknown, { startMs, endMs }: { startMs: number; endMs: number }): LoggerLap[] {
  const laps = field(session, 'laps');
  if (!Array.isArray(laps)) return [];
  return laps.slice(0, LAPS_MAX).flatMap((lap: unknown): LoggerLap[] => {
    const [number, from, to] = ['number', 'startTimestamp', 'finishTimestamp'].map((name) =>
      field(lap, name),
    );
    if (typeof number !== 'number' || typeof from !== 'number' || typeof to !== 'number') return [];
    if (field(lap, 'isInvalid') === true || !(from >= startMs && to <= endMs && to > from)) return [];
    return [{ number, lapTimeMs: to - from, startTimeMs: from, roundingMs: LAP_ROUNDING_MS }];
  });
}

const LAPS_MAX = 10_000;
const LAP_ROUNDING_MS = roundingBetween(1, 1);
const START_FINISH = 3;
const WIDEST_MM = 500_000;

/** The start/finish line; null where there is none, or several. */
function findLine(track: unknown): TimingLine | null {
  const traps = field(field(track, 'track'), 'traps');
  const lines = Array.isArray(traps) ? traps.filter((trap) => field(trap, 'type') === START_FINISH) : [];
  if (lines.length !== 1) return null;
  const number = (name: string) => {
    const value = field(lines[0], name);
    return typeof value === 'number' ? value : Number.NaN;
  };
  const center = {
    lat: number('centerLatitude') / POSITION_UNITS,
    lon: number('centerLongitude') / POSITION_UNITS,
  };
  const [bearingDeg, widthMm] = [number('bearing') / 1000, number('width')];
  const isOnEarth = Math.abs(center.lat) < 90 && Math.abs(center.lon) <= 180;
  const isLine = bearingDeg >= 0 && bearingDeg <= 360 && widthMm > 0 && widthMm <= WIDEST_MM;
  return isOnEarth && isLine ? lineAcross(center, bearingDeg, widthMm / 1000) : null;
}

/** Returns the ends of a line at right angles to the driving direction, the left one first. */
function lineAcross(center: Position, bearingDeg: number, widthMeters: number): TimingLine {
  const plane = planeAround(center);
  const { x, y } = bearingVector(bearingDeg);
  const end = (meters: number) => toPosition(plane, { x: meters * y, y: -meters * x });
  return { a: end(-widthMeters / 2), b: end(widthMeters / 2), bearingDeg };
}

/** Reads the value of a JSON file in any folder; null where there is none. Throws UnreadableLapFileError for a damaged one. */
function readJson(entries: readonly ZipEntry[], archive: ZipReader, name: string): unknown {
  const entry = entries.find((candidate) => candidate.name === name || candidate.name.endsWith(`/${name}`));
  if (entry === undefined || entry.sizeBytes > JSON_BYTES_MAX) return null;
  try {
    const value: unknown = JSON.parse(decodeText(archive.read(entry)));
    return value;
  } catch (error) {
    if (error instanceof UnreadableLapFileError) throw error;
    return null;
  }
}

const JSON_BYTES_MAX = 4 * 1024 * 1024;

/** Returns a field of a JSON object; undefined in everything else. */
function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
