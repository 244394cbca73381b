import { DOVES_PROFILE, DOVES_SERVICE, DovesMemory } from './doves-memory.ts';
import { GattLink } from './gatt-link.ts';
import type { ReceiverMemory } from './memory-types.ts';
import { RACEBOX_PROFILE, RaceBoxMemory } from './racebox-memory.ts';
import { ReceiverError } from './receiver.ts';
import { findBluetooth } from './web-bluetooth.ts';
import { chooseDevice, withoutSerialNumber } from './choose-device.ts';

/** Returns whether this browser reaches the memory of receivers. */
export function canReadMemory(): boolean {
  return findBluetooth() !== null;
}

/** Asks for a device with a memory, from a press; null where the driver closes the list. Throws `ReceiverError`. */
export async function openMemory(): Promise<ReceiverMemory | null> {
  const device = await chooseDevice({
    filters: [{ namePrefix: 'RaceBox' }, { services: [DOVES_SERVICE] }],
    optionalServices: [RACEBOX_PROFILE.service, DOVES_SERVICE],
  });
  if (device?.gatt === undefined) return null;
  const isRaceBox = (device.name ?? '').startsWith('RaceBox');
  const link = new GattLink(device, device.gatt, isRaceBox ? RACEBOX_PROFILE : DOVES_PROFILE);
  try {
    await link.connect();
  } catch {
    link.close();
    throw new ReceiverError(
      'The receiver does not answer. Switch it off and on, and close other apps that use it.',
    );
  }
  const name = withoutSerialNumber(device.name);
  return isRaceBox ? new RaceBoxMemory(name, link) : new DovesMemory(name, link);
}
