import { SPECIFIED_FORMATS } from '#contract/formats/labels.ts';
import { formatsOfLanguage } from '#contract/languages/labels.ts';
import { showFormats } from '#web/ui/format.ts';

/** Returns what a reader sees whose browser has this language; without one, the specified forms. */
export function inFormats<Seen>(tag: string | undefined, read: () => Seen): Seen {
  showFormats(formatsOfLanguage(tag));
  try {
    return read();
  } finally {
    showFormats(SPECIFIED_FORMATS);
  }
}
