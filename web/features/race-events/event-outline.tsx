import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';

export const outlineQuery = (trackId: TrackId) =>
  apiQuery('GET /api/tracks/:trackId', { params: { trackId } });

type EventOutlineProps = { trackId: TrackId; box?: ComponentProps<typeof CircuitOutline>['box'] };

/** Draws the track of an event; nothing until it is known. */
export function EventOutline({ trackId, box }: EventOutlineProps) {
  const { data: track } = useQuery(outlineQuery(trackId));
  return track ? <CircuitOutline track={track} {...(box && { box })} /> : null;
}
