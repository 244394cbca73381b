import { create } from 'zustand';

/** Holds the driver's choice of screen and signals while driving; this browser remembers it. */
export type DriveSettings = {
  ground: 'night' | 'day' | 'light';
  hasTone: boolean;
  hasVibration: boolean;
};

const STORAGE_KEY = 'drive-settings';
const DEFAULTS: DriveSettings = { ground: 'night', hasTone: false, hasVibration: false };

export const useDriveSettings = create<DriveSettings>(() => DEFAULTS);

/** Takes over what this browser remembers; call it after the first rendering, which the server did without it. */
export function loadDriveSettings(): void {
  try {
    const stored: Partial<DriveSettings> = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    useDriveSettings.setState({ ...DEFAULTS, ...stored });
  } catch {
    // Storage is forbidden, or holds something else.
  }
}

export function changeDriveSettings(change: Partial<DriveSettings>): void {
  useDriveSettings.setState(change);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(useDriveSettings.getState()));
  } catch {
    // Storage may be full or forbidden; the choice then lasts as long as the page.
  }
}
