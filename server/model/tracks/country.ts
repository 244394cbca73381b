import { iso1A2Code } from '@rapideditor/country-coder';

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** Returns the English name of the country, such as `Austria`; null at sea. Right to some hundred metres. */
export function countryAt(lat: number, lon: number): string | null {
  const code = iso1A2Code([lon, lat]);
  return (code === null ? undefined : COUNTRY_NAMES.of(code)) ?? null;
}
