import { at, type FixColumns } from '../fix-columns.ts';

/** No more decimals are counted: they are a centimetre. */
export const DECIMALS_MAX = 7;
/** Coordinates of four decimals are 11 m apart: as wide as a road. */
export const COARSE_DECIMALS = 4;

/** Counts how many decimals the coordinates have, 3 to 7; 8 for more. */
export function countDecimals(fixes: FixColumns): number {
  const stride = Math.max(1, Math.floor(fixes.length / 200));
  for (let decimals = 3; decimals <= DECIMALS_MAX; decimals += 1) {
    const scale = 10 ** decimals;
    let isRounded = fixes.length > 0;
    for (let index = 0; index < fixes.length && isRounded; index += stride) {
      const digits = at(fixes.lats, index) * scale;
      isRounded = Math.abs(digits - Math.round(digits)) < 1e-4;
    }
    if (isRounded) return decimals;
  }
  return DECIMALS_MAX + 1;
}
