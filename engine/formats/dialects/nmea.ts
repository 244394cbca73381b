/**
 * Reads NMEA 0183 as receivers send it and loggers keep it: the sentences RMC, GGA and VTG of any satellite system.
 *
 * - Several sentences of one fix follow each other; those with the same time of day are one. RMC has date and speed, GGA
 *   neither; some loggers keep only one of the two, or RMC only once a second. VTG has the speed where RMC is missing.
 * - Sentences get lost and run into each other while they are received; the checksum finds them. Files without any
 *   checksum are read.
 * - Positions are degrees and minutes in one number, `2824.64918`; N, S, E and W are in cells of their own.
 * - The date has two digits for the year. Receivers that do not know it write one of 1980, or none; some change it a
 *   moment before or after midnight.
 * - Loggers put a time of their own in front of the sentence, phones behind it.
 */
import type { Clock } from '../../lap-file.ts';
import {
  LapFileRecorder,
  type LapFileContent,
  type LapFileFormat,
  type LapFileText,
} from '../rows/lap-file-format.ts';
import { addToEpoch, firstKnown, fromGga, fromRmc, speedOfVtg, type Epoch } from './nmea-epoch.ts';
import { NmeaSentence } from './nmea-sentence.ts';
import { at } from '../../fix-columns.ts';
import { DAY_MS } from '../../durations.ts';

export const nmea: LapFileFormat = {
  format: 'nmea',
  name: 'NMEA log',
  recognise: ({ head }) => /^[^$\r\n]{0,60}\$[A-Z]{2}(?:RMC|GGA),/m.test(head),
  read: readNmea,
};

function readNmea(text: LapFileText): LapFileContent {
  const needsChecksum = /\$[A-Z]{2}(?:RMC|GGA),[^*\r\n]*\*[0-9A-F]{2}/i.test(text.head);
  return finish(readSentences(text.bytes, needsChecksum));
}

/** Reads the sentences with right checksums between bytes of any kind; null where they hold no position with a time. */
export function readIntactSentences(bytes: Uint8Array): LapFileContent | null {
  const read = readSentences(bytes, true);
  return read.recorder.length > 0 ? finish(read) : null;
}

type ReadSentences = { recorder: LapFileRecorder; epochs: Epochs };

function readSentences(bytes: Uint8Array, needsChecksum: boolean): ReadSentences {
  const recorder = new LapFileRecorder();
  const epochs = new Epochs(recorder);
  const sentence = new NmeaSentence(bytes);
  for (let dollar = bytes.indexOf(DOLLAR); dollar >= 0; dollar = bytes.indexOf(DOLLAR, dollar + 1)) {
    if (!sentence.find(dollar)) continue;
    if (sentence.hasChecksum ? sentence.isIntact() : !needsChecksum) epochs.see(sentence);
    else recorder.drop('unreadable_row');
  }
  epochs.end();
  return { recorder, epochs };
}

function finish({ recorder, epochs }: ReadSentences): LapFileContent {
  const { fixes, clock, dropped } = recorder.finish((timesMs) => epochs.date(timesMs), 1);
  return { fixes, clock, dropped, loggerLaps: [] };
}

const DOLLAR = 0x24;

/** Puts sentences together to fixes, and times of day to dates. */
class Epochs {
  readonly #recorder: LapFileRecorder;
  #epoch: Epoch | null = null;
  /** The day of the fix before, counted from 0 until a sentence has the date. */
  #dayMs = 0;
  #timeMs = Number.NaN;
  #isDated = false;
  /** Number of fixes before the first date, and their distance from it. */
  #undated = { count: 0, shiftMs: 0 };

  constructor(recorder: LapFileRecorder) {
    this.#recorder = recorder;
  }

  see(sentence: NmeaSentence): void {
    if (sentence.type === 'GST') return;
    if (sentence.type === 'VTG') {
      if (this.#epoch !== null) this.#epoch.speed = firstKnown(this.#epoch.speed, speedOfVtg(sentence));
      return;
    }
    const said = sentence.type === 'RMC' ? fromRmc(sentence) : fromGga(sentence);
    const epoch = this.#epoch;
    if (epoch === null || epoch.timeOfDayMs !== said.timeOfDayMs) {
      this.end();
      this.#epoch = said;
      return;
    }
    addToEpoch(epoch, said);
  }

  /** No more sentences of the same fix will come. */
  end(): void {
    const epoch = this.#epoch;
    if (epoch === null) return;
    this.#epoch = null;
    const timeMs = this.#resolveTime(epoch);
    if (this.#recorder.add(timeMs, epoch.lat, epoch.lon, epoch.speed)) this.#timeMs = timeMs;
  }

  /** Moves the fixes before the first date, in place, and says what the times count from. */
  date(timesMs: Float64Array): Clock {
    if (!this.#isDated) return 'time_of_day';
    const { count, shiftMs } = this.#undated;
    for (let index = 0; index < count; index++) timesMs[index] = at(timesMs, index) + shiftMs;
    return 'utc';
  }

  #resolveTime({ timeOfDayMs, dayMs }: Epoch): number {
    const runningMs = this.#runningTime(timeOfDayMs);
    // A date without a time of day dates nothing.
    if (Number.isNaN(dayMs + timeOfDayMs)) return runningMs;
    if (!this.#isDated) {
      this.#isDated = true;
      this.#undated = { count: this.#recorder.length, shiftMs: dayMs + timeOfDayMs - runningMs };
      this.#dayMs = dayMs;
      return dayMs + timeOfDayMs;
    }
    // The date may change a moment before or after midnight: a day more or less than the clock says is that.
    const offMs = Math.abs(dayMs + timeOfDayMs - runningMs);
    if (Math.abs(offMs - DAY_MS) < LATE_DATE_MS) return runningMs;
    this.#dayMs = dayMs;
    return dayMs + timeOfDayMs;
  }

  /** Returns the time of day on the day before it or, when it has begun again, on the next. */
  #runningTime(timeOfDayMs: number): number {
    if (this.#dayMs + timeOfDayMs - this.#timeMs < -DAY_MS / 2) this.#dayMs += DAY_MS;
    return this.#dayMs + timeOfDayMs;
  }
}

const LATE_DATE_MS = 60_000;
