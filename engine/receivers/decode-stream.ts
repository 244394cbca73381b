import type { ReceiverDecoder, StreamKind } from './live-fix.ts';
import { NmeaDecoder } from './nmea-decoder.ts';
import { PhoneDecoder } from './phone-positions.ts';
import { QstarzDecoder } from './qstarz-decoder.ts';
import { RaceChronoDecoder } from './racechrono-decoder.ts';
import { SerialDecoder } from './serial-decoder.ts';
import { UbxDecoder } from './ubx-decoder.ts';

/** Returns a decoder for a stream. `model` is the name of the device, as far as it is known: RaceBox models tell their battery otherwise. */
export function createDecoder(kind: StreamKind, model: string | null = null): ReceiverDecoder {
  switch (kind) {
    case 'ubx':
      return new UbxDecoder(model);
    case 'racechrono-diy':
      return new RaceChronoDecoder();
    case 'qstarz':
      return new QstarzDecoder();
    case 'nmea':
      return new NmeaDecoder();
    case 'serial':
      return new SerialDecoder(model);
    default:
      return new PhoneDecoder();
  }
}
