import { readPvt } from '../formats/binary/ubx-fixes.ts';
import { UbxFrameReader, type UbxFrame, type UbxKind } from '../formats/binary/ubx-frames.ts';
import { RACEBOX_POSITIONS, readRaceBoxForces } from '../formats/dialects/racebox-frames.ts';
import {
  knownOrNull,
  readFixKind,
  setPosition,
  statedOrNull,
  unknownFix,
  type LiveFix,
  type ReceiverDecoder,
  type StreamChunk,
} from './live-fix.ts';

const NAV_PVT = 0x0107;
const KINDS: readonly UbxKind[] = [...RACEBOX_POSITIONS, { code: NAV_PVT, leastBytes: 84, mostBytes: 92 }];

/** Says where the frames differ: NAV-PVT has three components of the speed in front of it. */
const PVT_OFFSETS = { speed: 60, heading: 64, speedAccuracy: 68 };
const RACEBOX_OFFSETS = { speed: 48, heading: 52, speedAccuracy: 56 };

/** Decodes the frames of RaceBox receivers and their clones, and NAV-PVT of u-blox's. */
export class UbxDecoder implements ReceiverDecoder {
  readonly #isMicro: boolean;
  #reader = this.#newReader();
  #fixes: LiveFix[] = [];
  #arrivalMs = 0;

  constructor(model: string | null) {
    this.#isMicro = /\bMicro\b/i.test(model ?? '');
  }

  feed({ bytes, arrivalMs }: StreamChunk): LiveFix[] {
    this.#arrivalMs = arrivalMs;
    this.#fixes = [];
    this.#reader.feed(bytes);
    return this.#fixes;
  }

  reset(): void {
    this.#reader = this.#newReader();
  }

  #newReader(): UbxFrameReader {
    return new UbxFrameReader(KINDS, (frame) => this.#fixes.push(this.#read(frame)));
  }

  #read({ code, payload }: UbxFrame): LiveFix {
    const isRaceBox = code !== NAV_PVT;
    const offsets = isRaceBox ? RACEBOX_OFFSETS : PVT_OFFSETS;
    const fix = unknownFix(this.#arrivalMs);
    fix.satellites = payload.getUint8(23);
    fix.fixKind = readFixKind(payload.getUint8(20));
    if (isRaceBox) this.#takeRaceBox(fix, payload);
    const pvt = isRaceBox && (payload.getUint8(66) & 1) === 1 ? null : readPvt(payload, offsets.speed);
    if (pvt === null) return fix;
    fix.timeMs = knownOrNull(pvt.timeMs);
    setPosition(fix, pvt.lat, pvt.lon);
    fix.speedMetersPerSecond = pvt.speedMetersPerSecond >= 0 ? pvt.speedMetersPerSecond : null;
    fix.altitudeMeters = payload.getInt32(36, true) / 1000;
    fix.headingDeg = payload.getInt32(offsets.heading, true) / 1e5;
    fix.accuracyMeters = statedOrNull(pvt.accuracyMeters);
    fix.speedAccuracyMetersPerSecond = statedOrNull(payload.getUint32(offsets.speedAccuracy, true) / 1000);
    return fix;
  }

  #takeRaceBox(fix: LiveFix, payload: DataView): void {
    const battery = payload.getUint8(67);
    if (this.#isMicro) fix.batteryVolts = battery / 10;
    else {
      fix.batteryPercent = Math.min(100, battery & 0x7f);
      fix.isCharging = (battery & 0x80) !== 0;
    }
    const forces = readRaceBoxForces(payload);
    fix.longitudinalMetersPerSecondSquared = forces.longitudinal;
    fix.lateralMetersPerSecondSquared = forces.lateral;
  }
}
