import { create } from 'zustand';
import { FORMATS_COOKIE, type FormatChoice } from '#contract/formats/labels.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The choice of a guest on this page; null before there is one, when the server's answer counts. */
const useChosen = create<{ choice: FormatChoice | null }>(() => ({ choice: null }));

/** Returns the forms of units and dates that a guest has chosen. */
export function useGuestFormats(served: FormatChoice): FormatChoice {
  return useChosen().choice ?? served;
}

/** Changes the forms for a guest, and keeps them in a cookie, which the server reads for the next page. */
export function changeGuestFormats(choice: FormatChoice): void {
  const value = encodeURIComponent(JSON.stringify(choice));
  document.cookie = `${FORMATS_COOKIE}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  useChosen.setState({ choice });
}
