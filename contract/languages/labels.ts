import { type Formats, SPECIFIED_FORMATS, type Units } from '#contract/formats/labels.ts';

// The browser loads this file only where no server has rendered its page.

const BRITISH_REGIONS = ['GB', 'GG', 'IM', 'JE'];
const AMERICAN_REGIONS = ['US', 'AS', 'GU', 'LR', 'MP', 'PR', 'UM', 'VI'];
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;

/** Returns the forms of the region of a language tag, such as 'de-DE'; a language without a region means its main one. */
export function formatsOfLanguage(tag: string | undefined): Formats {
  if (tag === undefined || !LANGUAGE_TAG.test(tag) || /^en$/i.test(tag)) return SPECIFIED_FORMATS;
  try {
    const { language, region = '' } = new Intl.Locale(tag).maximize();
    return { units: unitsOfRegion(region), dates: datesOf(language, region) };
  } catch {
    return SPECIFIED_FORMATS;
  }
}

function unitsOfRegion(region: string): Units {
  if (AMERICAN_REGIONS.includes(region)) return 'american';
  return BRITISH_REGIONS.includes(region) ? 'british' : 'metric';
}

function datesOf(language: string, region: string): string {
  const locale = `${language}-${region}-u-ca-gregory-nu-latn`;
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: 'numeric',
  });
  const time = format.resolvedOptions().hour12 ? 'h:mm A' : 'HH:mm';
  if (language === 'en' && region === 'US') return `MM/DD/YY ${time}`;
  const parts = format.formatToParts(0);
  const fields = parts.flatMap(({ type }) => (isDateField(type) ? [DATE_FIELDS[type]] : []));
  const separator = parts.map(({ type, value }) => (type === 'literal' ? /[./-]/.exec(value)?.[0] : null));
  return `${fields.join(separator.find(Boolean) ?? '/')} ${time}`;
}

const DATE_FIELDS = { year: 'YYYY', month: 'MM', day: 'DD' };

function isDateField(type: string): type is keyof typeof DATE_FIELDS {
  return Object.hasOwn(DATE_FIELDS, type);
}

/** Returns the language that an Accept-Language header prefers; browsers have the same one in `navigator.language`. */
export function readPreferredLanguage(header: string | undefined): string | undefined {
  const wanted = (header ?? '').split(',', LANGUAGES_MAX).map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  // The sort keeps the order of languages with the same weight.
  return wanted.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)[0]?.tag;
}

const LANGUAGES_MAX = 20;
