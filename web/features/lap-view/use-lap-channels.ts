import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TrackId } from '#contract/ids.ts';
import type { LapTrace } from '#contract/lap-view/schemas.ts';
import {
  CHANNEL_TITLES,
  channelAtStations,
  findUnknown,
  hasChannel,
  isRecorded,
  type ChannelName,
  type ShownChannel,
} from './lap-channels.ts';
import type { Column } from './lap-lines.ts';
import { traceQuery } from './lap-queries.ts';
import type { ShownLap } from './shown-laps.ts';

/** The channels of laps, which are fetched once the reader asks for them. */
export type LapChannels = {
  isOpen: boolean;
  toggleOpen: () => void;
  /** Tells that every trace has come. */
  isReady: boolean;
  /** Tells that a trace could not be fetched. */
  hasFailed: boolean;
  retry: () => void;
  /** The channels that a lap has. */
  names: readonly ChannelName[];
  /** Tells that a logger recorded one of them; accelerations also follow from the positions. */
  hasRecorded: boolean;
  chosen: readonly ChosenChannel[];
  toggle: (name: ChannelName) => void;
};

export type ChosenChannel = { name: ChannelName; laps: readonly ShownChannel[] };

const NAMES = Object.keys(CHANNEL_TITLES).filter((name): name is ChannelName => name in CHANNEL_TITLES);

/** Fetches the traces of these laps when they are asked for, and keeps which of their channels the reader chose. */
export function useLapChannels(trackId: TrackId, laps: readonly ShownLap[], stations: Column): LapChannels {
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState<readonly ChannelName[] | null>(null);
  const { traces, ...state } = useQueries({
    queries: laps.map(({ lapId }) => ({ ...traceQuery(trackId, lapId), enabled: isOpen })),
    combine: (results) => ({
      traces: results.map(({ data }) => data),
      isReady: results.every(({ data }) => data !== undefined),
      hasFailed: results.some(({ isError }) => isError),
      retry: () => {
        for (const { isError, refetch } of results) if (isError) void refetch();
      },
    }),
  });
  const names = NAMES.filter((name) => traces.some((trace) => trace && hasChannel(trace, name)));
  const hasRecorded = names.some((name) => traces.some((trace) => trace && isRecorded(trace, name)));
  // A first look needs no second tap: what the right foot does says most.
  const shown = wanted?.filter((name) => names.includes(name)) ?? names.slice(0, 1);
  const key = shown.join(' ');
  const chosen = useMemo(
    () => (isOpen ? key.split(' ').flatMap((name) => chooseChannel(name, { traces, laps, stations })) : []),
    [isOpen, key, traces, laps, stations],
  );
  return {
    isOpen,
    toggleOpen: () => setIsOpen(!isOpen),
    ...state,
    names,
    hasRecorded,
    chosen,
    toggle: (name) =>
      setWanted(shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]),
  };
}

type Parts = { traces: readonly (LapTrace | undefined)[]; laps: readonly ShownLap[]; stations: Column };

function chooseChannel(written: string, { traces, laps, stations }: Parts): ChosenChannel[] {
  const name = NAMES.find((one) => one === written);
  if (name === undefined) return [];
  const shown = laps.flatMap(({ lapId }, index): ShownChannel[] => {
    const trace = traces[index];
    const values = trace ? channelAtStations(trace, name, stations) : null;
    if (!trace || !values) return [];
    return [{ lapId, values, holes: findUnknown(values, stations), isDerived: !isRecorded(trace, name) }];
  });
  return [{ name, laps: shown }];
}
