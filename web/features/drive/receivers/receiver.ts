import type { StreamChunk, StreamKind } from '#engine/receivers/live-fix.ts';

/** Says what a receiver is doing. `reconnecting` is after a loss: it tries by itself, without a tap. */
export type ReceiverState = 'disconnected' | 'choosing' | 'connecting' | 'connected' | 'reconnecting';

/** Describes a connected device, as far as it says so; never its serial number. */
export type ReceiverInfo = {
  /** Name that the device gives itself, without its serial number. */
  name: string;
  model: string | null;
  firmware: string | null;
  /** Says that its memory can be read over the same connection; null where it has none. */
  memory: 'racebox' | 'doves' | null;
};

/** Describes one way in for positions. Everything that it sends is handed over as it came; `createDecoder(stream)` reads it. */
export type Receiver = {
  readonly stream: StreamKind;
  readonly state: ReceiverState;
  /** Null before the first connection. */
  readonly info: ReceiverInfo | null;
  /**
   * Asks for a device where one has to be chosen, and connects; call it from a tap. Rejects with `ReceiverProblem`, whose message is a
   * sentence for the driver; a driver who closes the chooser is `isCancelled`.
   */
  connect: () => Promise<void>;
  /** Ends for good: no reconnecting. */
  disconnect: () => Promise<void>;
  /** Calls back for every chunk until the returned function is called. */
  onChunk: (listener: (chunk: StreamChunk) => void) => () => void;
  /** Calls back for every change of the state, with a sentence where something went wrong. */
  onState: (listener: (state: ReceiverState, problem: string | null) => void) => () => void;
};

/** Names the ways in, in the order in which they are offered. */
export type ReceiverWay = 'bluetooth' | 'serial' | 'phone';

export class ReceiverProblem extends Error {
  override readonly name = 'ReceiverProblem';
  /** True where the driver closed the chooser: nothing to say then. */
  readonly isCancelled: boolean;

  constructor(message: string, isCancelled = false) {
    super(message);
    this.isCancelled = isCancelled;
  }
}
