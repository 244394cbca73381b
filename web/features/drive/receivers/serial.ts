import { ReceiverError, type Receiver, type ReceiverEvents, type ReceiverSource } from './receiver.ts';
import { untilDone } from './reconnect.ts';
import { findSerial, type SerialPort } from './web-bluetooth.ts';

/** Bluetooth and USB receivers ignore it; those behind a real serial port mostly use this. */
const BAUD_RATE = 115_200;
const BUFFER_BYTES = 65_536;

class SerialReceiver implements Receiver {
  readonly transport = 'serial';
  readonly name = 'Serial receiver';
  readonly kind = 'serial';
  readonly #port: SerialPort;
  #events: ReceiverEvents | null = null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;

  constructor(port: SerialPort) {
    this.#port = port;
  }

  batteryPercent(): null {
    return null;
  }

  description(): null {
    return null;
  }

  async start(events: ReceiverEvents): Promise<void> {
    this.#events = events;
    try {
      await this.#open();
    } catch {
      this.#events = null;
      throw new ReceiverError(
        'The receiver does not answer. Pair it in the settings first, and close other apps that use it.',
      );
    }
    void this.#read();
  }

  async stop(): Promise<void> {
    this.#events = null;
    await this.#close();
  }

  #open(): Promise<void> {
    return this.#port.open({ baudRate: BAUD_RATE, bufferSize: BUFFER_BYTES });
  }

  /** Reads as long as the receiver is wanted, and opens the port again after each loss. */
  async #read(): Promise<void> {
    while (this.#events !== null) {
      await this.#readUntilLost().catch(() => undefined);
      if (this.#events === null) return;
      this.#events.onConnection('lost');
      await this.#close();
      const isOpen = await untilDone(
        () => this.#open(),
        () => this.#events !== null,
      );
      if (isOpen) await this.#goOn();
    }
  }

  /** Says that the port is open again, or closes it where the receiver was left meanwhile. */
  async #goOn(): Promise<void> {
    if (this.#events === null) await this.#close();
    else this.#events.onConnection('connected');
  }

  async #readUntilLost(): Promise<void> {
    const { readable } = this.#port;
    if (readable === null) return;
    const reader = readable.getReader();
    this.#reader = reader;
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        this.#events?.onChunk({ bytes: part.value, arrivalMs: Date.now() });
      }
    } finally {
      reader.releaseLock();
      this.#reader = null;
    }
  }

  async #close(): Promise<void> {
    await this.#reader?.cancel().catch(() => undefined);
    await this.#port.close().catch(() => undefined);
  }
}

/** Receivers on a serial port: Bluetooth Classic and USB. */
export const SERIAL: ReceiverSource = {
  transport: 'serial',
  isSupported: () => findSerial() !== null,
  open: async () => {
    try {
      const port = await findSerial()?.requestPort();
      return port === undefined ? null : new SerialReceiver(port);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return null;
      throw new ReceiverError('This page may not use serial ports. Allow it in its settings, and try again.');
    }
  },
};
