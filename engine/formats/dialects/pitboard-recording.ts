/**
 * Reads what Pitboard itself records while driving: the bytes of the receiver as they came (see recording-format.ts). The decoders
 * are those that show them live.
 *
 * - Everything before the first damage counts: a torn end, a flipped byte or a lost block is found by the running checksum.
 * - A marked hole parts the trace, however short it is: nothing is interpolated across it.
 * - Forces of a RaceBox are kept; the accuracy that the receiver states is used.
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import { createDecoder } from '../../receivers/decode-stream.ts';
import type { LiveFix } from '../../receivers/live-fix.ts';
import { isRecording, readRecording } from '../../recording/read-recording.ts';
import type { BinaryLapFileFormat } from '../binary/binary-format.ts';
import { UbxFixRecorder } from '../binary/ubx-fixes.ts';
import { ChannelRecorder } from '../rows/channel-columns.ts';

/** Reads what Pitboard records: `.pbrec`. */
export const pitboardRecording: BinaryLapFileFormat = {
  format: 'pitboard-recording',
  name: 'Pitboard recording',
  recognise: isRecording,
  read: readPitboardRecording,
};

function readPitboardRecording(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const beginning = readRecording(bytes);
  if (beginning === null) {
    throw new UnreadableLapFileError(
      'This recording is damaged at its very beginning, so that nothing in it can be read.',
    );
  }
  const { stream, model } = beginning.header;
  const decoder = createDecoder(stream, model);
  const rows = new FixRows();
  readRecording(bytes, {
    chunk: (chunk) => {
      for (const fix of decoder.feed(chunk)) rows.add(fix);
    },
    hole: () => {
      decoder.reset();
      rows.markHole();
    },
  });
  if (rows.length === 0) {
    throw new UnreadableLapFileError(
      'This recording holds no position with a time; wait for a GPS fix before you drive.',
    );
  }
  return rows.finish();
}

/** Collects live fixes as rows of a lap file. */
class FixRows {
  readonly #fixes = new UbxFixRecorder();
  readonly #forces = new ChannelRecorder([
    { channel: 'longitudinalAcceleration', column: 0, factor: 1 },
    { channel: 'lateralAcceleration', column: 1, factor: 1 },
  ]);
  readonly #holeTimesMs: number[] = [];
  #isAfterHole = false;
  #hasForces = false;

  get length(): number {
    return this.#fixes.length;
  }

  markHole(): void {
    this.#isAfterHole = this.length > 0;
  }

  add(fix: LiveFix): void {
    const { timeMs, latitude, longitude } = fix;
    const isKept = this.#fixes.add(
      latitude === null || longitude === null
        ? null
        : {
            timeMs: timeMs ?? Number.NaN,
            lat: latitude,
            lon: longitude,
            speedMetersPerSecond: fix.speedMetersPerSecond ?? Number.NaN,
            accuracyMeters: fix.accuracyMeters ?? Number.NaN,
          },
    );
    if (!isKept || timeMs === null) return;
    if (this.#isAfterHole) this.#holeTimesMs.push(timeMs);
    this.#isAfterHole = false;
    this.#addForces(fix);
  }

  finish(): ReturnType<BinaryLapFileFormat['read']> {
    const channels = this.#hasForces ? this.#forces.finish(this.length) : {};
    return { ...this.#fixes.finish(channels), holeTimesMs: this.#holeTimesMs };
  }

  #addForces({ longitudinalMetersPerSecondSquared, lateralMetersPerSecondSquared }: LiveFix): void {
    if (longitudinalMetersPerSecondSquared === null || lateralMetersPerSecondSquared === null) return;
    this.#hasForces = true;
    this.#forces.set('longitudinalAcceleration', this.length - 1, longitudinalMetersPerSecondSquared);
    this.#forces.set('lateralAcceleration', this.length - 1, lateralMetersPerSecondSquared);
  }
}
