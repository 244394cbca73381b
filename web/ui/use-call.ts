import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiError, describeError } from '#web/api/api-error.ts';
import type { Answer, ChangingCall, RequestArguments, RequestFor } from '#web/api/call-api.ts';
import { refreshAfter, sendChange, type Send } from '#web/api/refresh.ts';
import { formatSentence } from './format.ts';
import { showToast, type Toast } from './toasts.ts';

type CallOptions<Result, Input> = {
  success?: Toast | ((result: Result) => Toast | null);
  /** The toast after a failure, or its title over the server's sentence. Without it, show `problem` and `fields`. */
  failure?: string | ((error: unknown) => Toast);
  /** Describes a failure that the server does not describe. */
  fallback?: string;
  /** Does what follows a success, before `isBusy` ends. */
  onDone?: (result: Result) => void;
  onFailed?: (failure: { sentence: string; error: unknown; input: Input }) => void;
  /** Fetches again after a failure too, because others may have changed the same thing. */
  refreshesAfterFailure?: boolean;
  /** Stays busy after a success, because the next page is on its way. */
  leavesPage?: boolean;
  /** Begins a run when the one before has ended; otherwise there is only one at a time. */
  inTurn?: boolean;
};

/** Work for a screen with several calls, of which each run chooses one: `useCalls((send, work: Work) => work(send))`. */
export type Work = (send: Send) => Promise<unknown>;

type Fields = Readonly<Record<string, string>>;

const NO_FIELDS: Fields = {};
const NOTHING_REFUSED: { sentence: string | null; fields: Fields } = { sentence: null, fields: NO_FIELDS };

/** Sends one call that changes data, with progress, problems and toasts, and fetches again what it changes. */
export function useCall<C extends ChangingCall>(
  call: C,
  options: CallOptions<Answer<C>, RequestArguments<RequestFor<C>>> = {},
) {
  const work = (send: Send, request: RequestArguments<RequestFor<C>>) => send(call, ...request);
  const { run, ...state } = useCalls(work, options);
  return { ...state, run: (...request: RequestArguments<RequestFor<C>>) => run(request) };
}

/** Sends several calls as one action, or one of several. The work gets `send`, which has no other source. */
export function useCalls<Result, Input = void>(
  work: (send: Send, input: Input) => Promise<Result>,
  options: CallOptions<Result, Input> = {},
) {
  const { fallback, refreshesAfterFailure = false, leavesPage = false, inTurn = false } = options;
  const id = useId();
  const send = useSend(refreshesAfterFailure);
  // Problems that are found before anything is sent.
  const [refusal, setRefusal] = useState(NOTHING_REFUSED);

  const { mutateAsync, data, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: (input: Input) => work(send, input),
    ...(inTurn && { scope: { id } }),
    onSuccess: (result) => reportSuccess(options, result),
    onError: (cause, input) => reportFailure(options, cause, input),
  });

  /** Runs the work; resolves with null if it fails or is running already. */
  async function run(input: Input): Promise<Result | null> {
    if (isPending && !inTurn) return null;
    setRefusal(NOTHING_REFUSED);
    return mutateAsync(input).catch(() => null);
  }

  /** Reports a problem before anything is sent. */
  function refuse(sentence: string | null, fields: Fields = NO_FIELDS): void {
    reset();
    setRefusal({ sentence, fields });
  }

  const fields = error instanceof ApiError ? formatFields(error.fields) : refusal.fields;
  const sentence = error === null ? refusal.sentence : formatSentence(describeError(error, fallback));
  return {
    run,
    refuse,
    isBusy: isPending || (isSuccess && leavesPage),
    /** Why the last run failed; null otherwise. */
    error,
    /** The answer of the last run; null until it succeeds. */
    result: data ?? null,
    /** The problem of each invalid field, by its name. */
    fields,
    /** The problem in a sentence. */
    sentence,
    /** The sentence, or null if the fields show the problem. */
    problem: Object.keys(fields).length > 0 ? null : sentence,
  };
}

function formatFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, problem]) => [name, formatSentence(problem)]));
}

/** Returns the function that sends a call and fetches again what it has changed. */
function useSend(refreshesAfterFailure: boolean): Send {
  const queryClient = useQueryClient();
  return async (call, ...request) => {
    try {
      return await sendChange(queryClient, call, ...request);
    } catch (error) {
      if (refreshesAfterFailure) await refreshAfter(call, queryClient);
      throw error;
    }
  };
}

function reportSuccess<Result, Input>({ success, onDone }: CallOptions<Result, Input>, result: Result): void {
  const toast = typeof success === 'function' ? success(result) : success;
  if (toast) showToast(toast);
  onDone?.(result);
}

function reportFailure<Result, Input>(
  { failure, fallback, onFailed }: CallOptions<Result, Input>,
  error: unknown,
  input: Input,
): void {
  const sentence = formatSentence(describeError(error, fallback));
  if (typeof failure === 'string') showToast({ title: failure, description: sentence, destructive: true });
  else if (failure) showToast({ ...failure(error), destructive: true });
  onFailed?.({ sentence, error, input });
}
