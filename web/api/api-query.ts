import { QueryClient, queryOptions, type QueryFunctionContext } from '@tanstack/react-query';
import {
  fetchJson,
  pathSegments,
  splitCall,
  buildUrl,
  type AnyRequest,
  type Answer,
  type ReadCall,
  type RequestArguments,
  type RequestFor,
} from './call-api.ts';

/**
 * The query of a GET call, for `useQuery`. Its key is the path's segments, and the query parameters where there are any:
 * `['api', 'tracks', 'spa']`. So `refresh(['laps'], queryClient)` reaches every call about laps.
 */
export function apiQuery<C extends ReadCall>(call: C, ...[request]: RequestArguments<RequestFor<C>>) {
  return queryOptions<Answer<C>>({ queryKey: apiKey(call, request ?? {}) });
}

/** Data never grows stale by itself and nothing is retried; what changes data invalidates it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: fetchKey,
        staleTime: Infinity,
        // Nor is it forgotten: what was fetched once is not fetched again, however long its page was left.
        gcTime: Infinity,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        retry: false,
      },
      // A call without a network fails at once instead of waiting for one.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

function apiKey(call: string, { params, query }: AnyRequest): readonly unknown[] {
  const segments = pathSegments(splitCall(call)[1], params);
  return query ? [...segments, query] : segments;
}

function fetchKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  const segments = queryKey.filter((part) => typeof part === 'string');
  const query = queryKey.find((part): part is Record<string, unknown> => typeof part === 'object');
  return fetchJson(buildUrl(segments, query), { signal });
}
