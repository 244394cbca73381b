import { ReceiverError } from './receiver.ts';
import { findBluetooth, type Bluetooth, type BluetoothDevice } from './web-bluetooth.ts';

/** Asks the driver to choose a device, from a press; null where the list is closed. Throws `ReceiverError`. */
export async function chooseDevice(
  options: Parameters<Bluetooth['requestDevice']>[0],
): Promise<BluetoothDevice | null> {
  try {
    return (await findBluetooth()?.requestDevice(options)) ?? null;
  } catch (error) {
    // The driver has closed the list, or nothing was found.
    if (error instanceof DOMException && error.name === 'NotFoundError') return null;
    throw new ReceiverError('Bluetooth is off, or this page may not use it. Switch it on, and try again.');
  }
}

/** Returns the name of a device without the serial number that many put behind it. */
export function withoutSerialNumber(name = ''): string {
  const plain = name.replace(/[\s_-]*\d{5,}$/, '');
  return plain === '' ? 'Bluetooth receiver' : plain;
}
