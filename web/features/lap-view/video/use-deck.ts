import { useEffect, useReducer, useRef, useState } from 'react';
import type { LapCursor } from '../lap-cursor.ts';
import { entry, nearestStation } from '../lap-lines.ts';
import type { LapMap } from '../shown-laps.ts';
import { VideoDeck } from './video-deck.ts';

/** Makes the deck of a panel, and keeps it and the cursor at one place. */
export function useDeck({ meters, stretches }: LapMap, { index, moveTo }: LapCursor): VideoDeck {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [deck] = useState(() => new VideoDeck(stretches.map(({ startMeters }) => startMeters)));
  // The station that the picture has moved the cursor to: another one is the reader's choice.
  const followed = useRef(index);
  useEffect(() => {
    deck.listen({
      onPlace: (place) => {
        followed.current = nearestStation(meters, place);
        moveTo(place);
      },
      onChange: render,
    });
  }, [deck, meters, moveTo]);
  useEffect(() => {
    if (index === followed.current) return;
    followed.current = index;
    deck.moveTo(entry(meters, index));
  }, [deck, meters, index]);
  useEffect(() => {
    deck.moveTo(entry(meters, followed.current));
    return () => deck.close();
  }, [deck, meters]);
  return deck;
}
