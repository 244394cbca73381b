import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { Client, type Pool } from 'pg';
import type { Database } from './database.ts';
import { isServerItself } from './pooler.ts';

// Copies of the server notify each other through PostgreSQL: one connection of each copy listens, and any transaction sends.

export type Subscriber = {
  /** Takes the text of a message of the topic, which any copy sent, this one too. */
  onMessage: (text: string) => void;
  /** Is called when messages may have been missed: read the state again. */
  onGap?: () => void;
};

export type Notifications = {
  /** Listens from now on; returns the function that stops it. */
  subscribe: (topic: string, subscriber: Subscriber) => () => void;
  /**
   * Tells whether messages arrive. Where they do not, behind a pooler or while the database is unavailable, ask the database
   * instead, every few seconds.
   */
  isListening: () => boolean;
  /** Tells whether a pooler blocks the notifications; false until somebody subscribes. */
  isBehindPooler: () => boolean;
  close: () => Promise<void>;
};

type NotificationDeps = {
  pool: Pool;
  /** The address of the PostgreSQL server itself: no notification passes a pooler in transaction mode. */
  connectionString: string;
  /** Called once where the address leads to a pooler. */
  onPooler?: (() => void) | undefined;
  /** Tests set a shorter interval. */
  heartbeatMs?: number;
};

const CHANNEL = 'pitboard';
const HEARTBEAT_TOPIC = 'heartbeat';
const HEARTBEAT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 30_000;

/** Sends a message to all copies of the server, when the transaction ends. PostgreSQL takes 8,000 bytes with the topic. */
export async function sendMessage(tx: Pick<Database, 'execute'>, topic: string, text: string): Promise<void> {
  await tx.execute(notification(topic, text));
}

/** Returns the query that sends a message, to be the end of a statement that changes something. */
export const notification = (topic: string, text: string): SQL =>
  sql`SELECT pg_notify(${CHANNEL}, ${`${topic} ${text}`})`;

// The UUIDs of one message, far below its limit.
const IDS_PER_MESSAGE = 150;

/** Sends UUIDs as JSON lists, in as many messages as they need. */
export async function sendIds(
  tx: Pick<Database, 'execute'>,
  topic: string,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += IDS_PER_MESSAGE)
    await sendMessage(tx, topic, JSON.stringify(ids.slice(start, start + IDS_PER_MESSAGE)));
}

/**
 * Listens as soon as somebody subscribes. A heartbeat goes the whole way of a message, so a connection that leads to another
 * server than the pool, or hears nothing more, is noticed and replaced.
 */
export function openNotifications(deps: NotificationDeps): Notifications {
  const listener = new Listener(deps);
  return {
    subscribe: (topic, subscriber) => listener.subscribe(topic, subscriber),
    isListening: () => listener.isListening,
    isBehindPooler: () => listener.isBehindPooler,
    close: () => listener.close(),
  };
}

class Listener {
  isListening = false;
  isBehindPooler = false;
  readonly #deps: NotificationDeps;
  readonly #topics = new Map<string, Set<Subscriber>>();
  readonly #id = randomUUID();
  #client: Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MIN_MS;
  #heardAtMs = 0;
  #isClosed = false;

  constructor(deps: NotificationDeps) {
    this.#deps = deps;
  }

  subscribe(topic: string, subscriber: Subscriber): () => void {
    const subscribers = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, subscribers.add(subscriber));
    if (this.#client === null && this.#timer === undefined) void this.#connect();
    return () => void subscribers.delete(subscriber);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.isListening = false;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) return;
    const client = new Client({
      connectionString: this.#deps.connectionString,
      application_name: 'pitboard notifications',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ payload = '' }) => this.#take(payload));
    try {
      await client.connect();
      const isBehindPooler = !(await isServerItself(client));
      if (isBehindPooler && !this.isBehindPooler) this.#deps.onPooler?.();
      this.isBehindPooler = isBehindPooler;
      if (isBehindPooler) throw new Error('A pooler passes no notifications.');
      await client.query(`LISTEN ${CHANNEL}`);
      await this.#beat(client);
    } catch {
      this.#lose(client);
    }
  }

  /** Sends a heartbeat, and looks at the next one whether it came. @throws the error of the query */
  async #beat(client: Client): Promise<void> {
    const { pool, heartbeatMs = HEARTBEAT_MS } = this.#deps;
    const sentAtMs = performance.now();
    await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, `${HEARTBEAT_TOPIC} ${this.#id}`]);
    if (this.#client !== client) return;
    this.#timer = setTimeout(() => {
      if (this.#heardAtMs < sentAtMs) this.#lose(client);
      else this.#beat(client).catch(() => this.#lose(client));
    }, heartbeatMs).unref();
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.isListening = false;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#connect(), this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MAX_MS);
  }

  #take(payload: string): void {
    const end = payload.indexOf(' ');
    const [topic, text] = [payload.slice(0, end), payload.slice(end + 1)];
    if (topic !== HEARTBEAT_TOPIC) {
      for (const { onMessage } of this.#topics.get(topic) ?? []) onMessage(text);
    } else if (text === this.#id) this.#hear();
  }

  #hear(): void {
    this.#heardAtMs = performance.now();
    this.#retryMs = RETRY_MIN_MS;
    if (this.isListening) return;
    this.isListening = true;
    for (const subscribers of this.#topics.values()) for (const { onGap } of subscribers) onGap?.();
  }
}
