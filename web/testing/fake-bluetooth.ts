/** Sends notifications in answer to what is written; each is a channel and its bytes. A null breaks the connection. */
export type Answer = (request: Uint8Array) => ([number | string, Uint8Array] | null)[];

/** Behaves like a device and its browser: one operation at a time, one buffer for all notifications, and a connection that may break. */
export class FakeDevice extends EventTarget {
  readonly name: string;
  readonly written: Uint8Array[] = [];
  readonly #answer: Answer;
  readonly #characteristics = new Map<number | string, FakeCharacteristic>();
  #isBusy = false;

  constructor(name: string, answer: Answer = () => []) {
    super();
    this.name = name;
    this.#answer = answer;
  }

  readonly gatt = {
    connected: false,
    connect: () => this.operate(() => void (this.gatt.connected = true)).then(() => this.gatt),
    disconnect: () => this.#disconnect(),
    getPrimaryService: () =>
      this.operate(() => ({
        getCharacteristic: (uuid: number | string) => this.operate(() => this.characteristic(uuid)),
      })),
  };

  async operate<Result>(work: () => Result): Promise<Result> {
    if (this.#isBusy) throw new DOMException('GATT operation already in progress.', 'NetworkError');
    this.#isBusy = true;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#isBusy = false;
    return work();
  }

  async write(request: Uint8Array): Promise<void> {
    await this.operate(() => this.written.push(request));
    void this.#send(this.#answer(request));
  }

  async #send(notifications: ReturnType<Answer>): Promise<void> {
    for (const notification of notifications) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (!this.gatt.connected) return;
      if (notification === null) return this.#disconnect();
      const [channel, bytes] = notification;
      this.characteristic(channel).notify(bytes);
    }
  }

  #disconnect(): void {
    if (!this.gatt.connected) return;
    this.gatt.connected = false;
    this.#characteristics.clear();
    this.dispatchEvent(new Event('gattserverdisconnected'));
  }

  /** Returns what stands for a characteristic; it is another one after a break. */
  characteristic(uuid: number | string): FakeCharacteristic {
    const known = this.#characteristics.get(uuid) ?? new FakeCharacteristic(this);
    this.#characteristics.set(uuid, known);
    return known;
  }
}

export class FakeCharacteristic extends EventTarget {
  readonly #device: FakeDevice;
  readonly #buffer = new Uint8Array(512);
  #isNotifying = false;
  value: DataView | undefined;
  properties = { notify: true };
  /** `readValue` returns it; null for a characteristic that cannot be read. */
  stored: Uint8Array | null = null;

  constructor(device: FakeDevice) {
    super();
    this.#device = device;
  }

  startNotifications(): Promise<void> {
    return this.#device.operate(() => {
      if (!this.properties.notify) throw new DOMException('Not supported.', 'NotSupportedError');
      this.#isNotifying = true;
    });
  }

  writeValueWithResponse(bytes: Uint8Array): Promise<void> {
    return this.#device.write(bytes.slice());
  }

  /** Gives what is read also to those who listen, as browsers do. */
  readValue(): Promise<DataView> {
    return this.#device.operate(() => {
      if (this.stored === null) throw new DOMException('Not supported.', 'NotSupportedError');
      this.#show(this.stored);
      return new DataView(this.stored.slice().buffer);
    });
  }

  notify(bytes: Uint8Array): void {
    if (this.#isNotifying) this.#show(bytes);
  }

  #show(bytes: Uint8Array): void {
    this.#buffer.set(bytes);
    this.value = new DataView(this.#buffer.buffer, 0, bytes.length);
    this.dispatchEvent(new Event('characteristicvaluechanged'));
  }
}
