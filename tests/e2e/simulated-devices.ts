import type { Page } from '@playwright/test';
import type { StreamChunk } from '#engine/receivers/live-fix.ts';

// Stand-ins for the browser's Bluetooth and serial ports, on the level of its own interfaces. Chromium without windows has neither, and
// the `BluetoothEmulation` domain of its DevTools protocol (Chromium 156) has no command that sends a notification with a value.

/** Describes a device that advertises itself: its services, each with its characteristics by what they can do. */
export type SimulatedDevice = {
  name: string;
  services: Record<string, Record<string, ('notify' | 'read' | 'write')[]>>;
};

/** The shim offers this to tests in the page. */
type TestDevices = {
  notify: (characteristic: string, pieces: string[]) => void;
  sendSerial: (pieces: string[]) => void;
  lose: () => void;
  isReachable: boolean;
  /** Holds what the page has asked for, and written. */
  filters: unknown[];
  written: string[];
};

declare global {
  interface Window {
    testDevices: TestDevices;
  }
}

/** Puts a Bluetooth device and a serial port into every page that is opened from now on. */
export async function addDevices(page: Page, device: SimulatedDevice): Promise<void> {
  await page.addInitScript(installDevices, device);
}

/** Sends notifications, so many of them at once; resolves when all are with the page. */
export async function notify(
  page: Page,
  chunks: readonly StreamChunk[],
  characteristicOf: (channel: number) => string,
): Promise<void> {
  for (const part of inParts(chunks)) {
    const pieces = part.map(({ bytes, channel = 0 }) => ({
      characteristic: characteristicOf(channel),
      base64: Buffer.from(bytes).toString('base64'),
    }));
    await page.evaluate((all) => {
      const { testDevices } = window;
      for (const { characteristic, base64 } of all) testDevices.notify(characteristic, [base64]);
    }, pieces);
  }
}

export async function sendSerial(page: Page, chunks: readonly StreamChunk[]): Promise<void> {
  for (const part of inParts(chunks)) {
    const pieces = part.map(({ bytes }) => Buffer.from(bytes).toString('base64'));
    await page.evaluate((all) => window.testDevices.sendSerial(all), pieces);
  }
}

/** Switches the receiver off, or on again. */
export async function setReachable(page: Page, isReachable: boolean): Promise<void> {
  await page.evaluate((reachable) => {
    const { testDevices } = window;
    testDevices.isReachable = reachable;
    if (!reachable) testDevices.lose();
  }, isReachable);
}

/** Half a second of a drive at 25 Hz, or a few of them in pieces. */
const PART_CHUNKS = 40;

function inParts(chunks: readonly StreamChunk[]): StreamChunk[][] {
  return Array.from({ length: Math.ceil(chunks.length / PART_CHUNKS) }, (_, index) =>
    chunks.slice(PART_CHUNKS * index, PART_CHUNKS * (index + 1)),
  );
}

// oxlint-disable unicorn/consistent-function-scoping -- The text of this function alone goes to the page.
/** Runs in the page, before its own scripts. */
function installDevices(device: SimulatedDevice): void {
  const normal = (uuid: number | string): string =>
    typeof uuid === 'number' || /^[0-9a-f]{4,8}$/i.test(uuid)
      ? `${(typeof uuid === 'number' ? uuid.toString(16) : uuid).padStart(8, '0')}-0000-1000-8000-00805f9b34fb`
      : uuid.toLowerCase();
  const toBytes = (base64: string) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

  class Characteristic extends EventTarget {
    readonly uuid: string;
    readonly properties: Record<string, boolean>;
    value: DataView | undefined;
    isNotifying = false;

    constructor(uuid: string, abilities: readonly string[]) {
      super();
      this.uuid = uuid;
      this.properties = Object.fromEntries(
        ['notify', 'read', 'write', 'writeWithoutResponse'].map((name) => [name, abilities.includes(name)]),
      );
    }

    async startNotifications(): Promise<this> {
      await Promise.resolve();
      if (!gatt.connected) throw new DOMException('GATT Server is disconnected.', 'NetworkError');
      this.isNotifying = true;
      return this;
    }

    async stopNotifications(): Promise<this> {
      await Promise.resolve();
      this.isNotifying = false;
      return this;
    }

    async readValue(): Promise<DataView> {
      await Promise.resolve();
      return new DataView(new ArrayBuffer(0));
    }

    async writeValueWithResponse(bytes: BufferSource): Promise<void> {
      await Promise.resolve();
      const view = ArrayBuffer.isView(bytes)
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : new Uint8Array(bytes);
      testDevices.written.push(Array.from(view, (byte) => byte.toString(16).padStart(2, '0')).join(''));
    }

    writeValueWithoutResponse(bytes: BufferSource): Promise<void> {
      return this.writeValueWithResponse(bytes);
    }

    writeValue(bytes: BufferSource): Promise<void> {
      return this.writeValueWithResponse(bytes);
    }

    notify(bytes: Uint8Array): void {
      if (!this.isNotifying) return;
      // Real stacks use one buffer for all notifications.
      const buffer = new Uint8Array(bytes);
      this.value = new DataView(buffer.buffer);
      this.dispatchEvent(new Event('characteristicvaluechanged'));
      buffer.fill(0xee);
    }
  }

  const services = new Map(
    Object.entries(device.services).map(([uuid, characteristics]) => [
      normal(uuid),
      new Map(
        Object.entries(characteristics).map(([name, abilities]) => [
          normal(name),
          new Characteristic(normal(name), abilities),
        ]),
      ),
    ]),
  );
  const notFound = (what: string) => new DOMException(`No ${what} found.`, 'NotFoundError');

  const gatt = {
    connected: false,
    device: undefined as unknown,
    async connect() {
      await Promise.resolve();
      if (!testDevices.isReachable) throw new DOMException('Connection failed.', 'NetworkError');
      gatt.connected = true;
      return gatt;
    },
    disconnect() {
      testDevices.lose();
    },
    async getPrimaryService(uuid: number | string) {
      await Promise.resolve();
      const service = services.get(normal(uuid));
      if (service === undefined) throw notFound('services');
      return {
        uuid: normal(uuid),
        getCharacteristic: async (name: number | string) => {
          await Promise.resolve();
          const characteristic = service.get(normal(name));
          if (characteristic === undefined) throw notFound('characteristics');
          return characteristic;
        },
        getCharacteristics: () => Promise.resolve([...service.values()]),
      };
    },
    async getPrimaryServices() {
      return Promise.all([...services.keys()].map((uuid) => gatt.getPrimaryService(uuid)));
    },
  };
  const bluetoothDevice = Object.assign(new EventTarget(), { id: 'simulated', name: device.name, gatt });
  gatt.device = bluetoothDevice;

  type Filter = { namePrefix?: string; name?: string; services?: (number | string)[] };
  const fits = ({ namePrefix, name, services: wanted = [] }: Filter) =>
    (namePrefix === undefined || device.name.startsWith(namePrefix)) &&
    (name === undefined || device.name === name) &&
    wanted.every((uuid) => services.has(normal(uuid)));

  let serial: ReadableStreamDefaultController<Uint8Array> | null = null;
  const port = Object.assign(new EventTarget(), {
    readable: null as ReadableStream<Uint8Array> | null,
    writable: null,
    getInfo: () => ({}),
    open: async () => {
      await Promise.resolve();
      if (!testDevices.isReachable) throw new DOMException('Failed to open serial port.', 'NetworkError');
      port.readable = new ReadableStream<Uint8Array>({
        start: (controller) => {
          serial = controller;
        },
      });
    },
    close: async () => {
      await Promise.resolve();
      port.readable = null;
      serial = null;
    },
  });

  const testDevices: TestDevices = {
    isReachable: true,
    filters: [],
    written: [],
    notify: (name, pieces) => {
      for (const characteristics of services.values()) {
        for (const piece of pieces) characteristics.get(normal(name))?.notify(toBytes(piece));
      }
    },
    sendSerial: (pieces) => {
      for (const piece of pieces) serial?.enqueue(toBytes(piece));
    },
    lose: () => {
      const wasConnected = gatt.connected;
      gatt.connected = false;
      for (const characteristics of services.values()) {
        for (const characteristic of characteristics.values()) characteristic.isNotifying = false;
      }
      if (wasConnected) bluetoothDevice.dispatchEvent(new Event('gattserverdisconnected'));
      serial?.error(new DOMException('The device has been lost.', 'NetworkError'));
      serial = null;
    },
  };
  Object.assign(window, { testDevices });
  Object.defineProperty(navigator, 'bluetooth', {
    value: {
      getAvailability: () => Promise.resolve(true),
      requestDevice: async (options: { filters?: Filter[] }) => {
        await Promise.resolve();
        testDevices.filters.push(options.filters);
        if (!(options.filters ?? []).some(fits)) throw notFound('devices');
        return bluetoothDevice;
      },
    },
  });
  Object.defineProperty(navigator, 'serial', {
    value: { requestPort: () => Promise.resolve(port), getPorts: () => Promise.resolve([port]) },
  });
}

/** Waits until the page has written a request so many times. */
export async function untilWritten(page: Page, request: Uint8Array, times = 1): Promise<void> {
  const hex = Buffer.from(request).toString('hex');
  await page.waitForFunction(
    ([wanted, count]) => window.testDevices.written.filter((one) => one === wanted).length >= count,
    [hex, times] as const,
  );
}
