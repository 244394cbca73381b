import { NO_CHOICE } from '#contract/formats/labels.ts';
import { formatsOfLanguage } from '#contract/languages/labels.ts';
import type { VisitorFormats } from '#contract/pages.ts';

/** Returns the forms of a visitor whose page no server has rendered. */
export function readBrowserFormats(): VisitorFormats {
  return { ofBrowser: formatsOfLanguage(navigator.language), ofGuest: NO_CHOICE };
}
