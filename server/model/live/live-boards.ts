import type { FastifyBaseLogger } from 'fastify';
import type { LiveCode } from '#contract/live/schemas.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type EventStream, formatEvent } from '#server/kernel/http/event-streams.ts';
import {
  addMessage,
  type Board,
  flush,
  type LiveMessage,
  messageSchema,
  openBoard,
  replaceDrivers,
  sendAll,
} from './live-board.ts';
import { findLiveState } from './live-state.ts';
import { LIVE_TOPIC } from './live-store.ts';

// All who watch get the same bytes, this many milliseconds apart.
const SEND_EVERY_MS = 200;
const POLL_EVERY_MS = 1_000;
// Makes up for a message that was lost.
const POLL_WHILE_LISTENING_MS = 30_000;

type BoardDeps = { database: OpenDatabase; log: FastifyBaseLogger };

/** Holds the live sessions that this copy of the server has streams for. */
export class LiveBoards {
  readonly #deps: BoardDeps;
  readonly #loading = new Map<LiveCode, Promise<Board>>();
  readonly #boards = new Map<LiveCode, Board>();
  /** Holds what comes while a session is read. */
  readonly #waiting = new Map<LiveCode, LiveMessage[]>();
  readonly #timer: NodeJS.Timeout;
  #unsubscribe: (() => void) | null = null;
  #readAtMs = 0;

  constructor(deps: BoardDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#tick(), SEND_EVERY_MS).unref();
  }

  /** Sends a stream the state of a session, and then what changes. @throws AppError `not_found` */
  async follow(stream: EventStream, code: LiveCode): Promise<void> {
    this.#unsubscribe ??= this.#deps.database.notifications.subscribe(LIVE_TOPIC, {
      onMessage: (text) => this.#take(text),
      onGap: () => this.#readAgain(),
    });
    const board = await this.#getBoard(code);
    if (!stream.isOpen()) return;
    sendAll(board, stream);
    board.streams.add(stream);
    stream.onClose(() => {
      board.streams.delete(stream);
      if (board.streams.size === 0 && this.#boards.get(code) === board) this.#forget(code);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe?.();
  }

  #tick(): void {
    for (const board of this.#boards.values()) flush(board);
    const { notifications } = this.#deps.database;
    const everyMs = notifications.isListening() ? POLL_WHILE_LISTENING_MS : POLL_EVERY_MS;
    if (this.#boards.size > 0 && performance.now() - this.#readAtMs >= everyMs) this.#readAgain();
  }

  #readAgain(): void {
    const { database, log } = this.#deps;
    this.#readAtMs = performance.now();
    for (const [code, board] of this.#boards) {
      findLiveState(database.db, code).then(
        (state) => (state ? replaceDrivers(board, state) : this.#end(code)),
        (error: unknown) => log.warn({ err: error }, 'A live session could not be read again'),
      );
    }
  }

  #take(text: string): void {
    const message = messageSchema.parse(JSON.parse(text));
    const board = this.#boards.get(message.code);
    if (!board) return void this.#waiting.get(message.code)?.push(message);
    addMessage(board, message);
    if (board.drivers.size === 0) this.#end(message.code);
  }

  #getBoard(code: LiveCode): Promise<Board> {
    const known = this.#loading.get(code);
    if (known) return known;
    const loading = this.#load(code);
    this.#loading.set(code, loading);
    loading.catch(() => this.#loading.delete(code));
    return loading;
  }

  async #load(code: LiveCode): Promise<Board> {
    const messages: LiveMessage[] = [];
    this.#waiting.set(code, messages);
    const state = await findLiveState(this.#deps.database.db, code).finally(() => this.#waiting.delete(code));
    if (!state) throw new AppError('not_found', 'There is no such live session: it has ended, or never was.');
    const board = openBoard(state);
    for (const message of messages) addMessage(board, message);
    this.#boards.set(code, board);
    return board;
  }

  #end(code: LiveCode): void {
    const board = this.#boards.get(code);
    this.#forget(code);
    for (const stream of board?.streams ?? []) stream.send(formatEvent('live-end', {}));
  }

  #forget(code: LiveCode): void {
    this.#loading.delete(code);
    this.#boards.delete(code);
  }
}
