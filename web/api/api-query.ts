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
 * Returns the query of a GET call, for `useQuery`. Its key is the path's segments, and the query parameters if there
 * are any: `['api', 'tracks', 'spa']`. So `refresh(['laps'], queryClient)` reaches every call about laps.
 */
export function apiQuery<C extends ReadCall>(call: C, ...[request]: RequestArguments<RequestFor<C>>) {
  return queryOptions<Answer<C>>({ queryKey: apiKey(call, request ?? {}) });
}

/**
 * Creates the query client. Data never becomes stale by age: calls that change data invalidate it. A call without a network
 * fails at once, so that its screen says so; what could not be fetched is fetched when the network is back.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: fetchKey,
        staleTime: Infinity,
        // Data stays in memory, so that it is not fetched again, however long the visitor was on another page.
        gcTime: Infinity,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        retry: false,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
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
