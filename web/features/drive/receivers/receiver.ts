import type { StreamChunk, StreamKind } from '#engine/receivers/live-fix.ts';

/** Lists how a page reaches a receiver. */
export type Transport = 'bluetooth' | 'serial' | 'phone';

export type ReceiverEvents = {
  /** Gives bytes exactly as they came. */
  onChunk: (chunk: StreamChunk) => void;
  /** Reports a connection that breaks, and one that is there again. The receiver reconnects by itself until `stop`. */
  onConnection: (state: 'connected' | 'lost') => void;
};

/** Delivers the bytes of one device. */
export type Receiver = {
  transport: Transport;
  /** Names the device as it calls itself, without its serial number: 'RaceBox Mini S'. The recording and `createDecoder` get it. */
  name: string;
  kind: StreamKind;
  /** Returns the battery of the receiver, where it tells it beside its positions; null where unknown. */
  batteryPercent: () => number | null;
  /** Returns what the device says of itself: 'RaceBox Mini S, firmware 3.3'; null for nothing. */
  description: () => string | null;
  /** Begins to deliver. Throws a `ReceiverError` where the device does not answer. */
  start: (events: ReceiverEvents) => Promise<void>;
  stop: () => Promise<void>;
};

/** Says in a sentence for the driver why a receiver cannot be used. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError';
}

/**
 * Describes a source of positions. The connectors of this folder export one each: `BLUETOOTH`, `SERIAL` and `PHONE`, of `bluetooth.ts`, `serial.ts` and
 * `phone.ts`.
 */
export type ReceiverSource = {
  transport: Transport;
  /** Returns whether this browser has it. */
  isSupported: () => boolean;
  /** Asks for a device, and must be called by a press: the browser shows a list of devices. Null where the driver closes that list. */
  open: () => Promise<Receiver | null>;
};
