import type { LiveFix, ReceiverDecoder, StreamChunk } from './live-fix.ts';
import { NmeaDecoder } from './nmea-decoder.ts';
import { UbxDecoder } from './ubx-decoder.ts';

/** Decodes what comes over a serial port: sentences, frames, or both mixed. Frames win for good, since they say more. */
export class SerialDecoder implements ReceiverDecoder {
  readonly #frames: UbxDecoder;
  readonly #sentences = new NmeaDecoder();
  #hasFrames = false;

  constructor(model: string | null) {
    this.#frames = new UbxDecoder(model);
  }

  feed(chunk: StreamChunk): LiveFix[] {
    const fixes = this.#frames.feed(chunk);
    this.#hasFrames ||= fixes.length > 0;
    return this.#hasFrames ? fixes : this.#sentences.feed(chunk);
  }

  reset(): void {
    this.#frames.reset();
    this.#sentences.reset();
  }
}
