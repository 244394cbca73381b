import type { FastifyRequest } from 'fastify';
import { chooseFormats, type Formats, FORMATS_COOKIE, NO_CHOICE } from '#contract/formats/labels.ts';
import { formatChoiceSchema } from '#contract/formats/schemas.ts';
import { formatsOfLanguage, readPreferredLanguage } from '#contract/languages/labels.ts';
import type { VisitorFormats } from '#contract/pages.ts';
import { parseJson } from '#server/kernel/parse-json.ts';

/** Reads the forms of a visitor from the language of the browser, and from the cookie that keeps the choice of a guest. */
export function readVisitorFormats({ headers, cookies }: FastifyRequest): VisitorFormats {
  const cookie = formatChoiceSchema.safeParse(parseJson(cookies[FORMATS_COOKIE] ?? ''));
  return {
    ofBrowser: formatsOfLanguage(readPreferredLanguage(headers['accept-language'])),
    ofGuest: cookie.data ?? NO_CHOICE,
  };
}

/** Returns the forms of a page: a person's own choice replaces that of the guest. `user` is an answer of the API. */
export function findFormats({ ofBrowser, ofGuest }: VisitorFormats, user: string | undefined): Formats {
  const chosen = formatChoiceSchema.safeParse(parseJson(user ?? ''));
  return chooseFormats(ofBrowser, chosen.data ?? ofGuest);
}
