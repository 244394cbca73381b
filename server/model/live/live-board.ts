import { z } from 'zod';
import {
  liveCodeSchema,
  type LiveDriver,
  liveDriverSchema,
  type LiveMove,
  type LiveStateAnswer,
  type LiveUpdate,
} from '#contract/live/schemas.ts';
import { type EventStream, formatEvent } from '#server/kernel/http/event-streams.ts';

// One live session as a copy of the server holds it for its streams.

/** A copy of the server sends this to the others after it has taken fixes, or when a driver has left. */
export const messageSchema = z.object({
  code: liveCodeSchema,
  /** The number of a driver who has left. */
  gone: z.int().optional(),
  /** A driver whose row has changed. */
  driver: liveDriverSchema.optional(),
  number: z.int().optional(),
  /** When fixes of the driver came. */
  seenAt: z.number().optional(),
  /** Holds the position, if it is shown. */
  at: z.tuple([z.number(), z.number()]).optional(),
});

export type LiveMessage = z.infer<typeof messageSchema>;

export type Board = {
  state: LiveStateAnswer;
  drivers: Map<number, LiveDriver>;
  streams: Set<EventStream>;
  changed: Set<number>;
  gone: Set<number>;
  moves: Map<number, LiveMove>;
};

export function openBoard(state: LiveStateAnswer): Board {
  return {
    state,
    drivers: new Map(state.drivers.map((driver) => [driver.number, driver])),
    streams: new Set(),
    changed: new Set(),
    gone: new Set(),
    moves: new Map(),
  };
}

/** Sends a stream everything that is known. */
export function sendAll({ state: { session }, drivers }: Board, stream: EventStream): void {
  const update: LiveUpdate = { session, drivers: [...drivers.values()], gone: [], now: Date.now() };
  stream.send(formatEvent('live', update));
}

export function addMessage(board: Board, { gone, driver, number, seenAt, at }: LiveMessage): void {
  if (gone !== undefined) removeDriver(board, gone);
  if (driver && isNewer(driver, board.drivers.get(driver.number))) setDriver(board, driver);
  const known = number === undefined ? undefined : board.drivers.get(number);
  if (number === undefined || !known) return;
  board.drivers.set(number, { ...known, seenAt: seenAt ?? known.seenAt });
  board.moves.set(number, at ? [number, ...at] : [number]);
}

const isNewer = (driver: LiveDriver, known: LiveDriver | undefined): boolean =>
  (driver.seenAt ?? 0) >= (known?.seenAt ?? 0);

function removeDriver(board: Board, number: number): void {
  if (!board.drivers.delete(number)) return;
  board.gone.add(number);
  board.changed.delete(number);
  board.moves.delete(number);
}

function setDriver(board: Board, driver: LiveDriver): void {
  board.drivers.set(driver.number, driver);
  board.changed.add(driver.number);
  board.gone.delete(driver.number);
}

/** Takes the drivers as the database has them, where they are newer than what messages said. */
export function replaceDrivers(board: Board, { drivers, positions }: LiveStateAnswer): void {
  const numbers = new Set(drivers.map(({ number }) => number));
  for (const number of board.drivers.keys()) if (!numbers.has(number)) removeDriver(board, number);
  for (const driver of drivers) {
    const known = board.drivers.get(driver.number);
    if (!isNewer(driver, known) || JSON.stringify(known) === JSON.stringify(driver)) continue;
    setDriver(board, driver);
    const { number } = driver;
    board.moves.set(number, positions.find(([of]) => of === number) ?? [number]);
  }
}

/** Sends all streams what has changed since the last time, in the same bytes. */
export function flush(board: Board): void {
  const { changed, gone, moves, streams } = board;
  const frames: string[] = [];
  if (changed.size + gone.size > 0) {
    const drivers = [...changed].flatMap((number) => board.drivers.get(number) ?? []);
    const update: LiveUpdate = { drivers, gone: [...gone], now: Date.now() };
    frames.push(formatEvent('live', update));
  }
  if (moves.size > 0) frames.push(formatEvent('live-moves', [...moves.values()]));
  changed.clear();
  gone.clear();
  moves.clear();
  if (frames.length === 0) return;
  const frame = frames.join('');
  for (const stream of streams) stream.send(frame);
}
