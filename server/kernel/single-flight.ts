/**
 * One answer for all who ask at about the same time: whoever asks while `ask` is at work gets the answer of the next time, so that
 * nobody gets one that was begun before their question.
 */
export function shareQuestions<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let current: Promise<Answer> | null = null;
  let next: Promise<Answer> | null = null;

  const begin = (): Promise<Answer> => {
    next = null;
    const asked = ask();
    current = asked;
    return asked.finally(() => {
      if (current === asked) current = null;
    });
  };
  return () => {
    if (current === null) return begin();
    next ??= current.then(begin, begin);
    return next;
  };
}
