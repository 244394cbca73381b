import type { BluetoothDevice, GattCharacteristic, GattServer } from './web-bluetooth.ts';

/** Names the characteristics of one service: which to listen to, and which takes requests. */
export type GattProfile = {
  service: number | string;
  listens: Readonly<Record<string, number | string>>;
  writes: number | string;
};

/** Says that the connection broke or nothing came for too long: what was received stays, and a new connection may go on. */
export class LostLink extends Error {
  override readonly name = 'LostLink';
}

/**
 * Holds one connection for requests and their answers. Operations follow each other strictly, since a device does one at a time and browsers
 * refuse a second one meanwhile.
 */
export class GattLink {
  readonly #device: BluetoothDevice;
  readonly #gatt: GattServer;
  readonly #profile: GattProfile;
  #last: Promise<unknown> = Promise.resolve();
  #listening: AbortController | null = null;
  #writes: GattCharacteristic | null = null;
  #onBytes: (channel: string, bytes: Uint8Array) => void = () => undefined;
  #onLost: () => void = () => undefined;

  constructor(device: BluetoothDevice, gatt: GattServer, profile: GattProfile) {
    this.#device = device;
    this.#gatt = gatt;
    this.#profile = profile;
  }

  /** Connects where it is not, and listens. Rejects with `LostLink` where the device is away. */
  async connect(): Promise<void> {
    if (this.#gatt.connected && this.#writes !== null) return;
    this.#listening?.abort();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    await this.#inTurn(async () => {
      if (!this.#gatt.connected) await this.#gatt.connect();
      const service = await this.#gatt.getPrimaryService(this.#profile.service);
      this.#device.addEventListener('gattserverdisconnected', () => this.#lose(), { signal });
      for (const [channel, uuid] of Object.entries(this.#profile.listens)) {
        const characteristic = await service.getCharacteristic(uuid);
        characteristic.addEventListener(
          'characteristicvaluechanged',
          () => this.#take(channel, characteristic),
          { signal },
        );
        await characteristic.startNotifications();
      }
      this.#writes = await service.getCharacteristic(this.#profile.writes);
    });
  }

  /** Sends a request. Rejects with `LostLink` where the device is away. */
  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.connect();
    await this.#inTurn(async () => this.#writes?.writeValueWithResponse(bytes));
  }

  /**
   * Hands every notification to `take` until it returns a result. Rejects with `LostLink` where the connection breaks or nothing comes for
   * `patienceMs`, and with the reason of `signal` where that is given up. `begin` sends the request.
   */
  async listen<Result>(
    begin: () => Promise<void>,
    take: (channel: string, bytes: Uint8Array) => Result | null,
    { patienceMs, signal }: { patienceMs: number; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    await this.connect();
    signal?.throwIfAborted();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waiting = new AbortController();
    const answered = new Promise<Result>((resolve, reject) => {
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(new LostLink('Nothing came any more.')), patienceMs);
      };
      wait();
      this.#onLost = () => reject(new LostLink('The connection broke.'));
      signal?.addEventListener('abort', () => reject(asError(signal.reason)), waiting);
      this.#onBytes = (channel, bytes) => {
        wait();
        const result = take(channel, bytes);
        if (result !== null) resolve(result);
      };
    });
    try {
      const [result] = await Promise.all([answered, begin()]);
      return result;
    } finally {
      clearTimeout(timer);
      waiting.abort();
      this.#onBytes = () => undefined;
      this.#onLost = () => undefined;
    }
  }

  close(): void {
    this.#listening?.abort();
    this.#writes = null;
    if (this.#gatt.connected) this.#gatt.disconnect();
  }

  #lose(): void {
    this.#writes = null;
    this.#onLost();
  }

  #take(channel: string, { value }: GattCharacteristic): void {
    // The browser may use the same buffer for the next notification.
    if (value !== undefined)
      this.#onBytes(channel, new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice());
  }

  #inTurn(work: () => Promise<unknown>): Promise<void> {
    const turn = this.#after(this.#last, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #after(before: Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
    await before;
    try {
      await work();
    } catch (error) {
      throw error instanceof DOMException ? new LostLink(error.message) : error;
    }
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
