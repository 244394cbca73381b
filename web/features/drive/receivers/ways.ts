import { PHONE } from './phone.ts';
import type { WayIn } from './receiver.ts';

/** The ways in, the best first. */
export const WAYS: readonly WayIn[] = [PHONE];
