/**
 * Racelogic's binary recording of newer VBOXes: `.vbb`. Facts: the reader in Python that Racelogic has published (VBB-to-Python, CC0), and
 * the recording of a brake test beside it.
 *
 * - `VBB`, a version (1 or 2), flags (the first bit: big-endian), when the file was made and changed, then records, each with its kind in front.
 *   No record has its own length or a sum, so a file is read up to the first one that makes no sense.
 * - Kinds: 5 names a group, 6 is a value of the dictionary, 7 describes a channel with unit, type, scale and offset, 8 lists the channels of
 *   a group, 9 is a sample of a group (time in 0.1 ms, group, values), 13 holds bytes. Strings have a length of 7 bits a byte in front.
 * - Latitude and longitude are minutes in all, and east is positive, unlike in VBO.
 * - `time` is the UTC time of day in seconds. The times of the samples are those of the satellites, 18 s ahead, and begin again at midnight.
 * - Scales went through single floats: 0.001 is stored as 0.00100000005, which would make 2 ms of a day.
 * - The dictionary's `Date` is when the recording was begun, in UTC: steps of 100 ns since the year 1, without its two highest bits. In
 *   version 1, dates are year, month, day, hour, minute and second in 7 bytes.
 * - `RMS_HPOS`, in a group of its own with the same times, is how exactly the receiver knows its position.
 */
import { lowerBound } from '../../binary-search.ts';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { AccuracyRecorder } from '../binary/accuracy-recorder.ts';
import { hasAscii, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { chooseSensors, sampleAll, SeriesRecorder, type ChannelSeries } from '../binary/channel-series.ts';
import { VbbRecords, type OnSample, type VbbChannel, type VbbGroup } from '../binary/vbb-records.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import { applyRecordingDate } from '../rows/recording-date.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';

/** Reads what VBOXes of Racelogic store: `.vbb`. */
export const vbb: BinaryLapFileFormat = {
  format: 'vbb',
  name: 'Racelogic VBB',
  recognise: (bytes) => hasAscii(bytes, 0, 'VBB') && (bytes[3] ?? 0) < TAB && bytes.length > 7,
  read: readVbb,
};

/** A text may begin with the same letters. */
const TAB = 9;
const MINUTES_PER_DEGREE = 60;
const HALF_DAY_MS = 43_200_000;

type Member = VbbGroup['members'][number];
type Members = { time: Member; lat: Member; lon: Member; speed: Member | undefined };

function readVbb(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const records = new VbbRecords(bytes);
  const recording = new VbbRecording(records);
  records.readAll((timeMs, group, read) => recording.see(timeMs, group, read));
  return recording.finish(records.startMs);
}

class VbbRecording {
  readonly #records: VbbRecords;
  readonly #recorder = new LapFileRecorder();
  readonly #moments: number[] = [];
  readonly #members = new WeakMap<VbbGroup, Members | null>();
  #sensors: Map<VbbChannel, SeriesRecorder> | null = null;
  #sensorChannels: { channel: ChannelSeries['channel']; factor: number; described: VbbChannel }[] = [];
  readonly #accuracy = new SeriesRecorder();
  #speedUnit = 'km/h';
  #beforeMs = Number.NaN;
  #shiftMs = 0;

  constructor(records: VbbRecords) {
    this.#records = records;
  }

  see(sampleMs: number, group: VbbGroup, read: Parameters<OnSample>[2]): void {
    const sensors = this.#chooseSensors();
    const timeMs = this.#runOn(sampleMs);
    for (const member of group.members) {
      if (member.channel.name === 'RMS_HPOS') this.#accuracy.add(timeMs, read(member));
      else sensors.get(member.channel)?.add(timeMs, read(member));
    }
    const members = this.#membersOf(group);
    if (members === null) return;
    const speed = members.speed === undefined ? Number.NaN : read(members.speed);
    const [lat, lon] = [read(members.lat) / MINUTES_PER_DEGREE, read(members.lon) / MINUTES_PER_DEGREE];
    if (this.#recorder.add(read(members.time) * 1000, lat, lon, speed)) this.#moments.push(timeMs);
  }

  /** Lets the times of samples run on over midnight. */
  #runOn(sampleMs: number): number {
    if (sampleMs + this.#shiftMs < this.#beforeMs - HALF_DAY_MS) this.#shiftMs += 2 * HALF_DAY_MS;
    this.#beforeMs = sampleMs + this.#shiftMs;
    return this.#beforeMs;
  }

  /** Chooses the sensors at the first sample, when all channels have been described. */
  #chooseSensors(): ReadonlyMap<VbbChannel, SeriesRecorder> {
    if (this.#sensors !== null) return this.#sensors;
    const { channels } = this.#records;
    this.#sensorChannels = chooseSensors(channels).flatMap(({ channel, column, factor }) => {
      const described = channels[column];
      return described === undefined ? [] : [{ channel, factor, described }];
    });
    this.#sensors = new Map(this.#sensorChannels.map(({ described }) => [described, new SeriesRecorder()]));
    return this.#sensors;
  }

  #membersOf(group: VbbGroup): Members | null {
    const known = this.#members.get(group);
    if (known !== undefined) return known;
    const find = (name: string) => group.members.find(({ channel }) => channel.name.toLowerCase() === name);
    const [time, lat, lon, speed] = [find('time'), find('latitude'), find('longitude'), find('velocity')];
    const members =
      time === undefined || lat === undefined || lon === undefined ? null : { time, lat, lon, speed };
    if (speed !== undefined) this.#speedUnit = speed.channel.unit;
    this.#members.set(group, members);
    return members;
  }

  finish(startMs: number): ReturnType<BinaryLapFileFormat['read']> {
    if (this.#recorder.length === 0) {
      throw new UnreadableLapFileError(
        'This VBB file holds no GPS positions; check that the VBOX had a fix, or copy the file from it again.',
      );
    }
    const timesMs = this.#recorder.times();
    const clock = applyRecordingDate(timesMs, startMs);
    // Its columns are sorted with the fixes, which finish() may do.
    const unsorted = Float64Array.from(timesMs);
    const moments = Float64Array.from(this.#moments);
    const { fixes, dropped } = this.#recorder.finish(
      (times) => {
        times.set(timesMs);
        return clock;
      },
      metersPerSecondIn(this.#speedUnit),
      sampleAll(this.#series(), moments),
    );
    const accuracy = this.#accuracies(moments).finish(unsorted);
    return { fixes, clock, dropped, loggerLaps: [], accuracy };
  }

  #series(): ChannelSeries[] {
    return this.#sensorChannels.map(({ channel, factor, described }) => {
      const { timesMs, values } = this.#sensors?.get(described)?.finish() ?? new SeriesRecorder().finish();
      return { channel, timesMs, values: values.map((value) => factor * value) };
    });
  }

  #accuracies(moments: Float64Array): AccuracyRecorder {
    const { timesMs, values } = this.#accuracy.finish();
    const accuracies = new AccuracyRecorder();
    for (const moment of moments) {
      const index = lowerBound(timesMs, moment, 0, timesMs.length);
      accuracies.add(timesMs[index] === moment ? (values[index] ?? Number.NaN) : Number.NaN);
    }
    return accuracies;
  }
}
