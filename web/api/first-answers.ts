import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { FIRST_ANSWERS_ID } from '#contract/pages.ts';

/**
 * Puts the answers that came with the document into the cache, before any query asks the server. They are not there for the
 * very first drawing, which has to be the one that the document was made with.
 */
export function FirstAnswers({ onRead }: { onRead: (() => void) | undefined }): null {
  const queryClient = useQueryClient();
  useLayoutEffect(() => {
    for (const [path, answer] of readFirstAnswers())
      queryClient.setQueryData(path.split('/').slice(1), answer);
    onRead?.();
  }, [queryClient, onRead]);
  return null;
}

/** The answers in the document, by the paths of their calls; none where another server sent it. */
function readFirstAnswers(): [path: string, answer: unknown][] {
  const block = document.getElementById(FIRST_ANSWERS_ID);
  const answers: unknown = JSON.parse(block?.textContent ?? '{}');
  return typeof answers === 'object' && answers !== null ? Object.entries(answers) : [];
}
