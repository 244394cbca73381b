import { useState } from 'react';
import { ApiError, describeError } from '#web/api/api-error.ts';

/** Sends a form: whether it is on its way, what is wrong with which field, and what is wrong in general. */
export function useSubmit(then: () => void) {
  const [isSending, setIsSending] = useState(false);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(send: () => Promise<unknown>): Promise<void> {
    if (isSending) return;
    setIsSending(true);
    setFields({});
    setProblem(null);
    try {
      await send();
      then();
    } catch (error) {
      const wrong = error instanceof ApiError ? error.fields : {};
      setFields(wrong);
      if (Object.keys(wrong).length === 0) setProblem(describeError(error));
      setIsSending(false);
    }
  }

  return { submit, isSending, fields, problem, setProblem };
}

/** The text of a field of a form. */
export function readField(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
