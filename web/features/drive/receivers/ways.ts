import { BLUETOOTH } from './bluetooth.ts';
import { PHONE } from './phone.ts';
import type { WayIn } from './receiver.ts';
import { SERIAL } from './serial.ts';

/** The ways in, the best first. */
export const WAYS: readonly WayIn[] = [BLUETOOTH, SERIAL, PHONE];
