import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, describeError } from '#web/api/api-error.ts';
import type { Answer, ChangingCall, RequestArguments, RequestFor } from '#web/api/call-api.ts';
import { refreshAfter, sendChange } from '#web/api/refresh.ts';
import { showToast, type Toast } from './toasts.ts';

/** Sends one call that changes something, and fetches again what it changes. Throws where the call fails. */
export type Send = <C extends ChangingCall>(
  call: C,
  ...request: RequestArguments<RequestFor<C>>
) => Promise<Answer<C>>;

type CallOptions<Result> = {
  /** The toast after a success. */
  success?: Toast | ((result: Result) => Toast);
  /** The title of the toast after a failure. Without it `problem` and `fields` hold what is wrong. */
  failure?: string;
  /** Describes a failure that the server does not describe. */
  fallback?: string;
  /** Does what follows a success, before `isBusy` ends. */
  onDone?: (result: Result) => void;
  /** Fetches again after a failure too, because others may have changed the same thing. */
  refreshesAfterFailure?: boolean;
};

const NO_FIELDS: Readonly<Record<string, string>> = {};

/**
 * The one way to change something: sends a call, says whether it is on its way and what is wrong with it, shows its toasts,
 * and fetches again, in all tabs, what the contract says that the call changes.
 */
export function useCall<C extends ChangingCall>(call: C, options: CallOptions<Answer<C>> = {}) {
  const work = (send: Send, request: RequestArguments<RequestFor<C>>) => send(call, ...request);
  const { run, ...state } = useCalls(work, options);
  return { ...state, run: (...request: RequestArguments<RequestFor<C>>) => run(request) };
}

/** The same for work that takes several calls, or one of several. The work gets `send`, which nothing else gives. */
export function useCalls<Result, Input = void>(
  work: (send: Send, input: Input) => Promise<Result>,
  { success, failure, fallback, onDone, refreshesAfterFailure = false }: CallOptions<Result> = {},
) {
  const queryClient = useQueryClient();
  // A problem found before anything is sent.
  const [refusal, refuse] = useState<string | null>(null);

  const send: Send = async (call, ...request) => {
    try {
      return await sendChange(queryClient, call, ...request);
    } catch (error) {
      if (refreshesAfterFailure) await refreshAfter(call, queryClient);
      throw error;
    }
  };
  const { mutateAsync, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: (input: Input) => work(send, input),
    onSuccess: (result) => {
      if (success) showToast(typeof success === 'function' ? success(result) : success);
      onDone?.(result);
    },
    onError: (cause) => {
      if (failure !== undefined)
        showToast({ title: failure, description: describeError(cause, fallback), destructive: true });
    },
  });

  /** Does the work once at a time; resolves with null where it failed or is under way already. */
  async function run(input: Input): Promise<Result | null> {
    if (isPending) return null;
    refuse(null);
    return mutateAsync(input).catch(() => null);
  }

  const fields = error instanceof ApiError ? error.fields : NO_FIELDS;
  const isSaid = error === null || Object.keys(fields).length > 0;
  return {
    run,
    isBusy: isPending,
    /** Whether the last run succeeded: a form that the next page replaces stays busy until then. */
    isDone: isSuccess,
    /** What is wrong with which field, by its name. */
    fields,
    /** What is wrong in general; null where the fields say it. */
    problem: refusal ?? (isSaid ? null : describeError(error, fallback)),
    refuse,
    clear: () => {
      refuse(null);
      reset();
    },
  };
}
