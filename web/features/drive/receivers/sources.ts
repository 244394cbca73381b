import { BLUETOOTH } from './bluetooth.ts';
import { PHONE } from './phone.ts';
import type { ReceiverSource } from './receiver.ts';
import { SERIAL } from './serial.ts';

/** Lists the sources of positions, the most exact first. */
export const SOURCES: readonly ReceiverSource[] = [BLUETOOTH, SERIAL, PHONE];
