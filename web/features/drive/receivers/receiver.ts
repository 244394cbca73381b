import type { StreamKind } from '#engine/receivers/live-fix.ts';

/** The ways in which a page reaches a receiver. */
export type Way = 'bluetooth' | 'serial' | 'phone';

/** Names what the bytes of a receiver are, so that a recording can be read later and `createDecoder` reads them now. */
export type ByteKind = StreamKind;

export type ReceiverEvents = {
  /**
   * Gives bytes exactly as they came; `receivedAtMs` is the clock of this device, in milliseconds since 1970. `channel` tells the channels
   * of one stream apart, as in `StreamChunk`; most have only 0.
   */
  onBytes: (bytes: Uint8Array, receivedAtMs: number, channel: number) => void;
  /** Reports a connection that breaks, and one that is there again. The receiver reconnects by itself until `stop`. */
  onConnection: (state: 'connected' | 'lost') => void;
};

/** Delivers the bytes of one device. */
export type Receiver = {
  way: Way;
  /** As the device calls itself, such as 'RaceBox Mini S 0123456789'. */
  name: string;
  /** The same without a serial number: it goes into recordings and to `createDecoder`. Null where it is unknown. */
  model: string | null;
  kind: ByteKind;
  /** The battery of the receiver, where it tells it beside its positions; null where unknown. */
  batteryPercent: () => number | null;
  /** Begins to deliver. Throws a `ReceiverError` where the device does not answer. */
  start: (events: ReceiverEvents) => Promise<void>;
  stop: () => Promise<void>;
};

/** Says in a sentence for the driver why a receiver cannot be used. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError';
}

/** A receiver that is asked for must be opened by a press: the browser shows a list of devices. Null where the driver closes that list. */
export type OpenReceiver = () => Promise<Receiver | null>;
