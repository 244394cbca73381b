import type { Adapter, AdapterPayload } from 'oidc-provider';

type Entry = { payload: AdapterPayload; expiresAtMs: number };

/**
 * Stores the state of the embedded provider between the steps of a sign-in. A stop of the server loses it, which costs a second
 * try.
 */
export class MemoryAdapter implements Adapter {
  readonly #entries = new Map<string, Entry>();

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    this.#pruneExpired();
    const lastsMs = expiresInSeconds === undefined ? Number.POSITIVE_INFINITY : expiresInSeconds * 1000;
    this.#entries.set(id, { payload, expiresAtMs: Date.now() + lastsMs });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    this.#pruneExpired();
    return this.#entries.get(id)?.payload;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry) entry.payload = { ...entry.payload, consumed: Math.floor(Date.now() / 1000) };
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, { payload }] of this.#entries) if (payload.grantId === grantId) this.#entries.delete(id);
  }

  #findWhere(fits: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    this.#pruneExpired();
    return [...this.#entries.values()].map(({ payload }) => payload).find(fits);
  }

  #pruneExpired(): void {
    const nowMs = Date.now();
    for (const [id, { expiresAtMs }] of this.#entries) if (expiresAtMs <= nowMs) this.#entries.delete(id);
  }
}
