/**
 * Decodes what Qstarz BL-818GT and LT-Q6000S notify: records as in their memory (see qstarz-bin.ts), cut into pieces of 20 bytes, with
 * 2 to 23 bytes about single satellites behind them. There is no mark and no sum: a record counts where all its fields are possible,
 * and after a lost piece the next possible one is looked for. Facts: test packets of an open-source reader, and a recording of a BL-1000.
 */
import { viewBytes } from '../formats/binary/binary-format.ts';
import { isQstarzRecord, toDegrees } from '../formats/dialects/qstarz-bin.ts';
import {
  readFixKind,
  setPosition,
  unknownFix,
  type LiveFix,
  type ReceiverDecoder,
  type StreamChunk,
} from './live-fix.ts';

const RECORD_BYTES = 56;
const KMH_PER_METER_PER_SECOND = 3.6;
/** The receivers are younger, and bytes at the wrong place give a time long before or after. */
const FIRST_SECONDS = Date.UTC(2010, 0, 1) / 1000;
const LAST_SECONDS = Date.UTC(2080, 0, 1) / 1000;

export class QstarzDecoder implements ReceiverDecoder {
  #rest: Uint8Array = new Uint8Array(0);

  feed({ bytes, arrivalMs }: StreamChunk): LiveFix[] {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const view = viewBytes(all);
    const fixes: LiveFix[] = [];
    let start = 0;
    while (start + RECORD_BYTES <= all.length) {
      if (isLiveRecord(view, start)) {
        fixes.push(readRecord(view, start, arrivalMs));
        start += RECORD_BYTES;
      } else start += 1;
    }
    this.#rest = all.slice(start);
    return fixes;
  }

  reset(): void {
    this.#rest = new Uint8Array(0);
  }
}

function isLiveRecord(view: DataView, start: number): boolean {
  if (view.getUint8(start) === 0 || !isQstarzRecord(view, start)) return false;
  const seconds = view.getUint32(start + 20, true);
  const float = (offset: number) => view.getFloat32(start + offset, true);
  return (
    seconds >= FIRST_SECONDS &&
    seconds < LAST_SECONDS &&
    isWithin(float(24), 0, 1500) &&
    isWithin(float(28), -1000, 50_000) &&
    isWithin(float(32), -360, 360) &&
    isWithin(float(44), 0, 100) &&
    isWithin(float(48), 0, 100) &&
    view.getUint8(start + 54) <= 8 &&
    view.getUint8(start + 55) <= 100
  );
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

function readRecord(view: DataView, start: number, arrivalMs: number): LiveFix {
  const fix = unknownFix(arrivalMs);
  const float = (offset: number) => view.getFloat32(start + offset, true);
  fix.fixKind = readFixKind(view.getUint8(start));
  fix.satellites = view.getUint8(start + 53);
  fix.batteryPercent = view.getUint8(start + 55);
  if (fix.fixKind === 'none') return fix;
  fix.timeMs = view.getUint32(start + 20, true) * 1000 + view.getUint16(start + 2, true);
  setPosition(fix, toDegrees(view.getFloat64(start + 4, true)), toDegrees(view.getFloat64(start + 12, true)));
  fix.speedMetersPerSecond = float(24) / KMH_PER_METER_PER_SECOND;
  fix.altitudeMeters = float(28);
  fix.headingDeg = float(32);
  fix.horizontalDilution = float(44);
  return fix;
}
