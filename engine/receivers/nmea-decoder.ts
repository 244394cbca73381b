/**
 * Decodes sentences of NMEA 0183 as they come, from a serial port or in pieces of a radio stream.
 *
 * - Sentences with one time of day are one fix. Which sentence a receiver sends last is learned from the fix before, so that a fix is
 *   complete with it and need not wait for the next one.
 * - The sum at the end of a sentence is required: what is live is cut and lost in ways that files are not.
 * - The accuracy of a sentence GST counts for the fixes of the next moments too: many receivers send it less often, or after the others.
 * - Without a date in any sentence, the day is the one of the phone that brings the time nearest to the arrival.
 */
import { DAY_MS } from '../durations.ts';
import {
  addToEpoch,
  firstKnown,
  fromGga,
  fromRmc,
  speedOfVtg,
  type Epoch,
} from '../formats/dialects/nmea-epoch.ts';
import { NmeaSentence } from '../formats/dialects/nmea-sentence.ts';
import { clockDigitsToMs } from '../formats/rows/numeric-clock.ts';
import {
  knownOrNull,
  setPosition,
  statedOrNull,
  unknownFix,
  type FixKind,
  type LiveFix,
  type ReceiverDecoder,
  type StreamChunk,
} from './live-fix.ts';

const DOLLAR = 0x24;
const SPACE = 0x20;
const LONGEST_SENTENCE = 200;
/** A date that is a day off the phone's by less than this is one that changed late at midnight. */
const LATE_DATE_MS = 60_000;
/** So long an accuracy counts; many receivers state it once a second. */
const ACCURACY_LASTS_MS = 2_000;

type Pending = Epoch & {
  fixKind: FixKind | null;
  satellites: number;
  dilution: number;
  heading: number;
  altitude: number;
};

export class NmeaDecoder implements ReceiverDecoder {
  readonly #line = new Uint8Array(LONGEST_SENTENCE + 2);
  readonly #sentence = new NmeaSentence(this.#line);
  /** Number of bytes of the sentence so far; 0 outside of sentences. */
  #length = 0;
  #pending: Pending | null = null;
  /** The last time of day that was given out, whose later sentences come too late. */
  #doneTimeOfDayMs = Number.NaN;
  #lastTypes = { seen: '', before: '' };
  #accuracy = { timeOfDayMs: Number.NaN, meters: Number.NaN };
  #dayMs = Number.NaN;
  #timeMs = Number.NaN;

  feed({ bytes, arrivalMs }: StreamChunk): LiveFix[] {
    const fixes: LiveFix[] = [];
    for (const byte of bytes) {
      if (byte === DOLLAR) this.#length = 0;
      if (byte !== DOLLAR && this.#length === 0) continue;
      if (byte < SPACE || this.#length === LONGEST_SENTENCE) {
        this.#line[this.#length] = 0;
        if (byte < SPACE) this.#takeSentence(arrivalMs, fixes);
        this.#length = 0;
      } else {
        this.#line[this.#length] = byte;
        this.#length += 1;
      }
    }
    return fixes;
  }

  reset(): void {
    this.#length = 0;
    this.#pending = null;
  }

  #takeSentence(arrivalMs: number, fixes: LiveFix[]): void {
    const sentence = this.#sentence;
    if (!sentence.find(0) || !sentence.hasChecksum || !sentence.isIntact()) return;
    if (sentence.type === 'GST') {
      this.#accuracy = readAccuracy(sentence);
      return;
    }
    if (sentence.type === 'VTG') {
      if (this.#pending !== null) this.#pending.speed = firstKnown(this.#pending.speed, speedOfVtg(sentence));
    } else this.#takePosition(sentence, arrivalMs, fixes);
    if (this.#pending === null) return;
    this.#lastTypes.seen = sentence.type;
    if (sentence.type === this.#lastTypes.before) this.#finish(arrivalMs, fixes);
  }

  #takePosition(sentence: NmeaSentence, arrivalMs: number, fixes: LiveFix[]): void {
    const said = readPosition(sentence);
    if (Number.isNaN(said.timeOfDayMs)) {
      // A receiver that knows no time yet still says that it has no fix.
      if (this.#pending === null) fixes.push(this.#toFix(said, arrivalMs));
      return;
    }
    if (said.timeOfDayMs === this.#doneTimeOfDayMs) {
      // More sentences follow than before: from now on the fix waits for this one.
      this.#lastTypes.before = sentence.type;
      return;
    }
    const pending = this.#pending;
    if (pending?.timeOfDayMs === said.timeOfDayMs) return merge(pending, said);
    if (pending !== null) {
      this.#lastTypes.before = this.#lastTypes.seen;
      this.#finish(arrivalMs, fixes);
    }
    this.#pending = said;
  }

  #finish(arrivalMs: number, fixes: LiveFix[]): void {
    const pending = this.#pending;
    if (pending === null) return;
    this.#pending = null;
    this.#doneTimeOfDayMs = pending.timeOfDayMs;
    fixes.push(this.#toFix(pending, arrivalMs));
  }

  #toFix(pending: Pending, arrivalMs: number): LiveFix {
    const fix = unknownFix(arrivalMs);
    fix.fixKind = pending.fixKind;
    fix.satellites = knownOrNull(pending.satellites);
    if (Number.isNaN(pending.lat + pending.lon)) return { ...fix, fixKind: 'none' };
    fix.timeMs = knownOrNull(this.#resolveTime(pending, arrivalMs));
    setPosition(fix, pending.lat, pending.lon);
    fix.speedMetersPerSecond = pending.speed >= 0 ? pending.speed : null;
    fix.headingDeg = knownOrNull(pending.heading);
    fix.altitudeMeters = knownOrNull(pending.altitude);
    const { timeOfDayMs, meters } = this.#accuracy;
    if (Math.abs(pending.timeOfDayMs - timeOfDayMs) <= ACCURACY_LASTS_MS)
      fix.accuracyMeters = statedOrNull(meters);
    fix.horizontalDilution = knownOrNull(pending.dilution);
    return fix;
  }

  #resolveTime({ timeOfDayMs, dayMs }: Epoch, arrivalMs: number): number {
    if (Number.isNaN(this.#dayMs))
      this.#dayMs = Number.isNaN(dayMs) ? Math.round((arrivalMs - timeOfDayMs) / DAY_MS) * DAY_MS : dayMs;
    let timeMs = this.#dayMs + timeOfDayMs;
    if (timeMs - this.#timeMs < -DAY_MS / 2) timeMs += DAY_MS;
    const offMs = Math.abs(dayMs + timeOfDayMs - timeMs);
    if (offMs > 0 && Math.abs(offMs - DAY_MS) > LATE_DATE_MS) timeMs = dayMs + timeOfDayMs;
    this.#dayMs = timeMs - timeOfDayMs;
    this.#timeMs = timeMs;
    return timeMs;
  }
}

function readPosition(sentence: NmeaSentence): Pending {
  if (sentence.type === 'RMC') {
    const epoch = fromRmc(sentence);
    const unknown = Number.NaN;
    return {
      ...epoch,
      fixKind: null,
      satellites: unknown,
      dilution: unknown,
      heading: sentence.number(8),
      altitude: unknown,
    };
  }
  return {
    ...fromGga(sentence),
    fixKind: sentence.letter(6) === '0' ? 'none' : null,
    satellites: sentence.number(7),
    dilution: sentence.number(8),
    heading: Number.NaN,
    altitude: sentence.number(9),
  };
}

/** Reads the standard errors of latitude and longitude, joined as u-blox joins them in its own messages. */
function readAccuracy(sentence: NmeaSentence): { timeOfDayMs: number; meters: number } {
  const meters = Math.hypot(sentence.number(6), sentence.number(7));
  return { timeOfDayMs: clockDigitsToMs(sentence.number(1)), meters };
}

function merge(pending: Pending, said: Pending): void {
  addToEpoch(pending, said);
  pending.fixKind ??= said.fixKind;
  pending.satellites = firstKnown(pending.satellites, said.satellites);
  pending.dilution = firstKnown(pending.dilution, said.dilution);
  pending.heading = firstKnown(pending.heading, said.heading);
  pending.altitude = firstKnown(pending.altitude, said.altitude);
}
