import type { StreamKind } from '#engine/receivers/live-fix.ts';
import { RACECHRONO_MAIN, RACECHRONO_TIME } from '#engine/receivers/racechrono-decoder.ts';
import { chooseDevice, withoutSerialNumber } from './choose-device.ts';
import { ReceiverError, type Receiver, type ReceiverEvents, type ReceiverSource } from './receiver.ts';
import { untilDone } from './reconnect.ts';
import {
  findBluetooth,
  type BluetoothDevice,
  type GattCharacteristic,
  type GattServer,
  type GattService,
} from './web-bluetooth.ts';

// Receivers are known by their services and how their names begin, never by a serial number: clones work like what they imitate.

const UART = '6e400001-b5a3-f393-e0a9-e50e24dcca9e';
const UART_TX = '6e400003-b5a3-f393-e0a9-e50e24dcca9e';
const QSTARZ_TX = '6e400004-b5a3-f393-e0a9-e50e24dcca9e';
const RACECHRONO_DIY = 0x1ff8;
const BATTERY = 0x180f;
const BATTERY_LEVEL = 0x2a19;
const DEVICE_INFORMATION = 0x180a;
const MODEL = 0x2a24;
const FIRMWARE = 0x2a26;
const BATTERY_EVERY_MS = 60_000;
/** Fixes wait for a new hour at most so long. */
const READ_EVERY_MS = 2000;

type Profile = {
  kind: StreamKind;
  namePrefix: string;
  service: number | string;
  /** The characteristics that notify, each with its channel. One that `isRead` is also read every few seconds: not every device notifies it. */
  characteristics: readonly { uuid: number | string; channel: number; isRead?: true }[];
};

/** The first one whose name and service fit is taken. The last two take every name. */
const PROFILES: readonly Profile[] = [
  { kind: 'ubx', namePrefix: 'RaceBox', service: UART, characteristics: [{ uuid: UART_TX, channel: 0 }] },
  { kind: 'qstarz', namePrefix: 'QSTARZ', service: UART, characteristics: [{ uuid: QSTARZ_TX, channel: 0 }] },
  {
    kind: 'racechrono-diy',
    namePrefix: '',
    service: RACECHRONO_DIY,
    characteristics: [
      { uuid: 0x0003, channel: RACECHRONO_MAIN },
      { uuid: 0x0004, channel: RACECHRONO_TIME, isRead: true },
    ],
  },
  { kind: 'serial', namePrefix: '', service: UART, characteristics: [{ uuid: UART_TX, channel: 0 }] },
];

/** Holds the newest receiver of each device: the driver may choose the same device again. */
const newest = new WeakMap<GattServer, BluetoothReceiver>();

class BluetoothReceiver implements Receiver {
  readonly transport = 'bluetooth';
  readonly name: string;
  readonly kind: StreamKind;
  readonly #device: BluetoothDevice;
  readonly #gatt: GattServer;
  readonly #profile: Profile;
  #events: ReceiverEvents | null = null;
  #listening: AbortController | null = null;
  #batteryPercent: number | null = null;
  #description: string | null = null;
  #timers: ReturnType<typeof setInterval>[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(device: BluetoothDevice, gatt: GattServer, profile: Profile) {
    this.#device = device;
    this.#gatt = gatt;
    this.#profile = profile;
    newest.set(gatt, this);
    this.name = withoutSerialNumber(device.name);
    this.kind = profile.kind;
  }

  batteryPercent(): number | null {
    return this.#batteryPercent;
  }

  description(): string | null {
    return this.#description;
  }

  async start(events: ReceiverEvents): Promise<void> {
    this.#events = events;
    this.#device.addEventListener('gattserverdisconnected', this.#onLost);
    try {
      await this.#subscribe();
    } catch {
      await this.stop();
      throw new ReceiverError(
        `${this.name} does not answer. Switch it off and on, and close other apps that use it.`,
      );
    }
  }

  stop(): Promise<void> {
    this.#events = null;
    this.#device.removeEventListener('gattserverdisconnected', this.#onLost);
    this.#listening?.abort();
    this.#endTimers();
    if (this.#gatt.connected && newest.get(this.#gatt) === this) this.#gatt.disconnect();
    return Promise.resolve();
  }

  readonly #onLost = (): void => {
    this.#events?.onConnection('lost');
    void this.#reconnect();
  };

  async #reconnect(): Promise<void> {
    const isWanted = () => this.#events !== null;
    if (await untilDone(() => this.#subscribe(), isWanted)) this.#events?.onConnection('connected');
    // The connection may have come after `stop`.
    else await this.stop();
  }

  /** Connects and asks for notifications. The steps follow each other: a device does one at a time. Throws where the receiver is left meanwhile. */
  async #subscribe(): Promise<void> {
    this.#listening?.abort();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    if (!this.#gatt.connected) await this.#gatt.connect();
    this.#throwIfLeft();
    const service = await this.#gatt.getPrimaryService(this.#profile.service);
    this.#endTimers();
    for (const { uuid, channel, isRead } of this.#profile.characteristics) {
      const characteristic = await service.getCharacteristic(uuid);
      characteristic.addEventListener(
        'characteristicvaluechanged',
        () => this.#take(characteristic, channel),
        { signal },
      );
      if (isRead !== true || characteristic.properties.notify) await characteristic.startNotifications();
      // The browser hands what is read to the same listener.
      if (isRead) await this.#repeat(() => characteristic.readValue(), READ_EVERY_MS);
    }
    this.#description ??= await describeDevice(this.#gatt);
    await this.#repeat(() => this.#readBattery(), BATTERY_EVERY_MS);
    this.#throwIfLeft();
  }

  #throwIfLeft(): void {
    if (this.#events === null) throw new Error('The receiver was left.');
  }

  /** Does something at once, and again and again where it works; never at the same time as something else. */
  async #repeat(work: () => Promise<unknown>, everyMs: number): Promise<void> {
    const inTurn = async () => {
      const before = this.#last;
      let isDone = false;
      this.#last = (async () => {
        await before;
        await work().then(
          () => (isDone = true),
          () => (isDone = false),
        );
      })();
      await this.#last;
      return isDone;
    };
    if (await inTurn()) this.#timers.push(setInterval(() => void inTurn(), everyMs));
  }

  #endTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #take({ value }: GattCharacteristic, channel: number): void {
    if (value === undefined) return;
    // The browser may use the same buffer for the next notification.
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
    this.#events?.onChunk({ bytes, channel, arrivalMs: Date.now() });
  }

  /** Reads the battery; rejects for a device that has no service for it. */
  async #readBattery(): Promise<void> {
    const service = await this.#gatt.getPrimaryService(BATTERY);
    const level = await service.getCharacteristic(BATTERY_LEVEL);
    this.#batteryPercent = (await level.readValue()).getUint8(0);
  }
}

/** Reads model and firmware; null for a device that tells neither, as most clones do. */
async function describeDevice(gatt: GattServer): Promise<string | null> {
  try {
    const service = await gatt.getPrimaryService(DEVICE_INFORMATION);
    const model = await readText(service, MODEL);
    const firmware = await readText(service, FIRMWARE);
    const facts = [model, firmware === '' ? '' : `firmware ${firmware}`].filter((fact) => fact !== '');
    return facts.length === 0 ? null : facts.join(', ');
  } catch {
    return null;
  }
}

const TEXT_CHARACTERS_MAX = 40;

async function readText(service: GattService, uuid: number): Promise<string> {
  try {
    const value = await (await service.getCharacteristic(uuid)).readValue();
    const text = new TextDecoder().decode(value);
    return text
      .replaceAll(/[\p{C}\uFFFD]/gu, '')
      .trim()
      .slice(0, TEXT_CHARACTERS_MAX);
  } catch {
    return '';
  }
}

/** Receivers by Bluetooth Low Energy. */
export const BLUETOOTH: ReceiverSource = {
  transport: 'bluetooth',
  isSupported: () => findBluetooth() !== null,
  open: async () => {
    const device = await chooseDevice({
      filters: [
        { namePrefix: 'RaceBox' },
        { namePrefix: 'QSTARZ' },
        { services: [RACECHRONO_DIY] },
        { services: [UART] },
      ],
      optionalServices: [UART, RACECHRONO_DIY, BATTERY, DEVICE_INFORMATION],
    });
    if (device?.gatt === undefined) return null;
    const { gatt } = device;
    const profile = await findProfile(device.name ?? '', gatt);
    if (profile === null) {
      gatt.disconnect();
      throw new ReceiverError('This device sends no positions that Pitboard knows.');
    }
    return new BluetoothReceiver(device, gatt, profile);
  },
};

async function findProfile(name: string, gatt: GattServer): Promise<Profile | null> {
  try {
    await gatt.connect();
  } catch {
    throw new ReceiverError(
      'The receiver does not answer. Switch it off and on, and close other apps that use it.',
    );
  }
  for (const profile of PROFILES.filter(({ namePrefix }) => name.startsWith(namePrefix))) {
    if (await hasService(gatt, profile.service)) return profile;
  }
  return null;
}

async function hasService(gatt: GattServer, uuid: number | string): Promise<boolean> {
  try {
    await gatt.getPrimaryService(uuid);
    return true;
  } catch {
    return false;
  }
}
