/**
 * Runs at most one load for each key at a time, for many callers. A call that comes during a load waits for the next one, which
 * all calls until then share: so nothing that a caller receives was read before the call.
 */
export function singleFlight<Key, Value>(load: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const running = new Map<Key, Promise<Value>>();
  const queued = new Map<Key, Promise<Value>>();

  const start = (key: Key): Promise<Value> => {
    queued.delete(key);
    const value = load(key).finally(() => running.delete(key));
    running.set(key, value);
    return value;
  };
  return (key) => {
    const next = queued.get(key);
    if (next) return next;
    const current = running.get(key);
    if (!current) return start(key);
    const following = current.then(
      () => start(key),
      () => start(key),
    );
    queued.set(key, following);
    return following;
  };
}
