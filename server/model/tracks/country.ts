import { iso1A2Code } from '@rapideditor/country-coder';

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/**
 * Returns the English name of the country at a position, such as `Austria`; null at sea. Borders are accurate to some
 * hundred metres.
 */
export function countryAt(lat: number, lon: number): string | null {
  const code = iso1A2Code([lon, lat]);
  return (code === null ? undefined : COUNTRY_NAMES.of(code)) ?? null;
}
