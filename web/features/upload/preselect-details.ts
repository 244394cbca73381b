import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import { garageQuery } from './upload-queries.ts';
import type { UploadDetails } from './upload-groups.ts';
import { useUpload } from './use-upload.ts';

const TIRES_KEY = 'last-tires';

/** Stores the tyres of an upload in the browser, for the next one. */
export function saveLastTires(tireCompound: string): void {
  try {
    localStorage.setItem(TIRES_KEY, tireCompound);
  } catch {
    // Without storage the driver chooses the tyres every time.
  }
}

/** Fills in the only car of the garage and the tyres of the last upload, where the driver has not chosen any. */
export function usePreselectedDetails(): void {
  const upload = useUpload();
  const { data: cars } = useQuery(garageQuery);
  useEffect(() => {
    const { details } = upload.state;
    const userCarId = details.userCarId || (cars?.length === 1 && cars[0]?.id) || '';
    const tireCompound = details.tireCompound || readLastTires();
    upload.change({ details: { ...details, userCarId, tireCompound } satisfies UploadDetails });
  }, [upload, cars]);
}

function readLastTires(): string {
  try {
    const stored = localStorage.getItem(TIRES_KEY);
    return TIRE_COMPOUNDS.find((compound) => compound === stored) ?? '';
  } catch {
    return '';
  }
}
