import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import {
  type LiveCode,
  liveCodeSchema,
  type LiveDriver,
  liveDriverSchema,
  type LiveMove,
  type LiveStateAnswer,
  type LiveUpdate,
} from '#contract/live/schemas.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type EventStream, formatEvent } from '#server/kernel/http/event-streams.ts';
import { LIVE_TOPIC } from './live-store.ts';
import { findLiveState } from './live-state.ts';

/** What a copy of the server sends the others after it has taken fixes, or when a driver has left. */
const messageSchema = z.object({
  code: liveCodeSchema,
  /** The number of a driver who has left. */
  gone: z.int().optional(),
  /** A driver whose row has changed. */
  driver: liveDriverSchema.optional(),
  number: z.int().optional(),
  /** When fixes of the driver came. */
  seenAt: z.number().optional(),
  /** Where the driver is, if that is shown. */
  at: z.tuple([z.number(), z.number()]).optional(),
});

export type LiveMessage = z.infer<typeof messageSchema>;

export type LiveBoards = {
  /** Sends a stream the state of a session, and then what changes. @throws AppError `not_found` */
  follow: (stream: EventStream, code: LiveCode) => Promise<void>;
  close: () => void;
};

type Board = {
  state: LiveStateAnswer;
  drivers: Map<number, LiveDriver>;
  streams: Set<EventStream>;
  changed: Set<number>;
  gone: Set<number>;
  moves: Map<number, LiveMove>;
};

type BoardDeps = { database: OpenDatabase; log: FastifyBaseLogger };

// All who watch get the same bytes, this many milliseconds apart.
const SEND_EVERY_MS = 200;
const POLL_EVERY_MS = 1_000;
// Makes up for a message that was lost.
const POLL_WHILE_LISTENING_MS = 30_000;

/** Holds the sessions that this copy of the server has streams for. */
export function openLiveBoards({ database, log }: BoardDeps): LiveBoards {
  const boards = new Map<LiveCode, Promise<Board>>();
  const loaded = new Map<LiveCode, Board>();
  /** Holds what comes while a session is read. */
  const waiting = new Map<LiveCode, LiveMessage[]>();
  let isSubscribed = false;
  let lastPollMs = 0;

  const timer = setInterval(() => {
    for (const board of loaded.values()) flush(board);
    const everyMs = database.notifications.isListening() ? POLL_WHILE_LISTENING_MS : POLL_EVERY_MS;
    if (loaded.size === 0 || performance.now() - lastPollMs < everyMs) return;
    lastPollMs = performance.now();
    readAgain();
  }, SEND_EVERY_MS).unref();

  function readAgain(): void {
    for (const [code, board] of loaded) {
      findLiveState(database.db, code).then(
        (state) => (state ? replaceDrivers(board, state) : end(code)),
        (error: unknown) => log.warn({ err: error }, 'A live session could not be read again'),
      );
    }
  }

  function end(code: LiveCode): void {
    const board = loaded.get(code);
    boards.delete(code);
    loaded.delete(code);
    for (const stream of board?.streams ?? []) stream.send(formatEvent('live-end', {}));
  }

  function take(text: string): void {
    const message = messageSchema.parse(JSON.parse(text));
    const board = loaded.get(message.code);
    if (!board) return void waiting.get(message.code)?.push(message);
    addMessage(board, message);
    if (board.drivers.size === 0) end(message.code);
  }

  async function load(code: LiveCode): Promise<Board> {
    const messages: LiveMessage[] = [];
    waiting.set(code, messages);
    const state = await findLiveState(database.db, code).finally(() => waiting.delete(code));
    if (!state) throw new AppError('not_found', 'There is no such live session: it has ended, or never was.');
    const board: Board = {
      state,
      drivers: new Map(state.drivers.map((driver) => [driver.number, driver])),
      streams: new Set(),
      changed: new Set(),
      gone: new Set(),
      moves: new Map(),
    };
    for (const message of messages) addMessage(board, message);
    loaded.set(code, board);
    return board;
  }

  function getBoard(code: LiveCode): Promise<Board> {
    const known = boards.get(code);
    if (known) return known;
    const loading = load(code);
    boards.set(code, loading);
    loading.catch(() => boards.delete(code));
    return loading;
  }

  return {
    follow: async (stream, code) => {
      if (!isSubscribed) database.notifications.subscribe(LIVE_TOPIC, { onMessage: take, onGap: readAgain });
      isSubscribed = true;
      const board = await getBoard(code);
      if (!stream.isOpen()) return;
      const { session } = board.state;
      const update: LiveUpdate = { session, drivers: [...board.drivers.values()], gone: [], now: Date.now() };
      stream.send(formatEvent('live', update));
      board.streams.add(stream);
      stream.onClose(() => {
        board.streams.delete(stream);
        if (board.streams.size > 0 || loaded.get(code) !== board) return;
        boards.delete(code);
        loaded.delete(code);
      });
    },
    close: () => clearInterval(timer),
  };
}

function addMessage(board: Board, { gone, driver, number, seenAt, at }: LiveMessage): void {
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
function replaceDrivers(board: Board, { drivers }: LiveStateAnswer): void {
  const numbers = new Set(drivers.map(({ number }) => number));
  for (const number of board.drivers.keys()) if (!numbers.has(number)) removeDriver(board, number);
  for (const driver of drivers) {
    const known = board.drivers.get(driver.number);
    if (isNewer(driver, known) && JSON.stringify(known) !== JSON.stringify(driver)) setDriver(board, driver);
  }
}

function flush(board: Board): void {
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
