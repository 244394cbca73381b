// The part of Web Bluetooth and Web Serial that receivers need: the compiler does not know these interfaces.

export type GattCharacteristic = EventTarget & {
  value?: DataView;
  properties: { notify: boolean; indicate?: boolean };
  startNotifications: () => Promise<unknown>;
  stopNotifications: () => Promise<unknown>;
  readValue: () => Promise<DataView>;
  writeValueWithResponse: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
};

export type GattService = {
  getCharacteristic: (uuid: number | string) => Promise<GattCharacteristic>;
};

export type GattServer = {
  connected: boolean;
  connect: () => Promise<GattServer>;
  disconnect: () => void;
  getPrimaryService: (uuid: number | string) => Promise<GattService>;
};

export type BluetoothDevice = EventTarget & { name?: string; gatt?: GattServer };

type BluetoothFilter = { namePrefix?: string; services?: (number | string)[] };

export type Bluetooth = {
  requestDevice: (options: {
    filters: BluetoothFilter[];
    optionalServices: (number | string)[];
  }) => Promise<BluetoothDevice>;
};

export type SerialPort = EventTarget & {
  readable: ReadableStream<Uint8Array> | null;
  open: (options: { baudRate: number; bufferSize?: number }) => Promise<void>;
  close: () => Promise<void>;
};

export type Serial = {
  requestPort: (options?: { allowedBluetoothServiceClassIds?: string[] }) => Promise<SerialPort>;
};

export function findBluetooth(): Bluetooth | null {
  const withBluetooth: Navigator & { bluetooth?: Bluetooth } = navigator;
  return withBluetooth.bluetooth ?? null;
}

export function findSerial(): Serial | null {
  const withSerial: Navigator & { serial?: Serial } = navigator;
  return withSerial.serial ?? null;
}
