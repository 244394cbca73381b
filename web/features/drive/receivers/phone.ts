import { encodePhonePosition } from '#engine/receivers/phone-positions.ts';
import { ReceiverError, type Receiver, type ReceiverEvents, type ReceiverSource } from './receiver.ts';

/** The first position may take this long under open sky; the browser asks the driver for leave in that time too. */
const FIRST_POSITION_MS = 60_000;

const REFUSED =
  'Your browser may not use the position. Allow it in the settings of this page, and try again.';

class Phone implements Receiver {
  readonly transport = 'phone';
  readonly name = 'This phone';
  readonly kind = 'phone';
  #watch: number | null = null;

  batteryPercent(): null {
    return null;
  }

  description(): null {
    return null;
  }

  start({ onChunk, onConnection }: ReceiverEvents): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#watch = navigator.geolocation.watchPosition(
        (position) => {
          onConnection('connected');
          onChunk({ bytes: encodePhonePosition(position), arrivalMs: Date.now() });
          resolve();
        },
        ({ code, PERMISSION_DENIED }) => {
          onConnection('lost');
          // The browser goes on looking after everything but a refusal.
          if (code !== PERMISSION_DENIED) return resolve();
          void this.stop();
          reject(new ReceiverError(REFUSED));
        },
        { enableHighAccuracy: true, maximumAge: 0, timeout: FIRST_POSITION_MS },
      );
    });
  }

  stop(): Promise<void> {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
    return Promise.resolve();
  }
}

/** The positions of the phone itself, about one a second. */
export const PHONE: ReceiverSource = {
  transport: 'phone',
  isSupported: () => 'geolocation' in navigator,
  open: () => Promise.resolve(new Phone()),
};
